/** The player's standing, and messages from the moderators. */
import { moderationApi, type Standing } from "../../api/moderation";
import { Problem } from "../../logic/problem";
import { session } from "../accounts/session.svelte";

class StandingStore {
  found = $state.raw<Standing | null>(null);
  /** The session ended while the page was open, such as by a ban. */
  wasSignedOut = $state(false);

  /** Reloads the standing and marks the messages as seen. */
  async load(): Promise<void> {
    this.found = await moderationApi.standing();
    if (!session.account?.notices) return;
    await moderationApi.markNoticesSeen();
    session.account = { ...session.account, notices: 0 };
  }

  async appeal(sanction: string, text: string): Promise<void> {
    await moderationApi.appeal(sanction, text);
    this.found = await moderationApi.standing();
  }

  /** Reloads the account after a socket reported a change of standing. */
  async changed(): Promise<void> {
    if (!session.account) return;
    try {
      await session.renew();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) return;
      session.forget();
      this.wasSignedOut = true;
    }
  }
}

export const standing = new StandingStore();
