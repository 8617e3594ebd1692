/** How one stands with the house, and the notes it has left. */
import { moderationApi, type Standing } from "../../api/moderation";
import { Problem } from "../../logic/problem";
import { session } from "../accounts/session.svelte";

class StandingStore {
  found = $state.raw<Standing | null>(null);
  /** The session ended while somebody was here: by a ban, or elsewhere. */
  wasSignedOut = $state(false);

  /** Reads it anew; the notes count as seen once they are shown. */
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

  /** A socket said that something has changed: who one is now, and what is new. */
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
