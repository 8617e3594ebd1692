/**
 * The search for a quick match: one's ticket in the queue, asked after until it is
 * matched or given up. Leaving the page gives it up.
 */
import { Unreachable } from "../../logic/problem";
import { racesApi, type Match, type RaceFormat } from "../../api/races";
import { announcer } from "../core/announcer.svelte";
import { session } from "../accounts/session.svelte";
import { play } from "../core/sound";

const ASK_MS = 1_500;
const TICK_MS = 250;

interface Wish {
  ruleset: Match["ruleset"];
  format: RaceFormat;
}

export class MatchStore {
  /** null while nothing is sought. */
  ticket = $state.raw<Match | null>(null);
  /** How long it has taken, counted on between answers. */
  waitedMs = $state(0);
  isLost = $state(false);
  /** An offer went by, or the other declined: said until something else happens. */
  fellThrough = $state(false);
  onMatched: (race: string) => void = () => undefined;

  #asker: ReturnType<typeof setInterval> | null = null;
  #ticker: ReturnType<typeof setInterval> | null = null;
  #heardAt = 0;
  #busy = false;
  #wish: Wish | null = null;

  async seek(wish: Wish): Promise<void> {
    await session.ensure();
    this.#wish = wish;
    this.fellThrough = false;
    const { ruleset, format } = wish;
    this.#take(await racesApi.seek({ ...(ruleset ? { ruleset } : {}), format }));
    this.#keepAsking();
  }

  async accept(): Promise<void> {
    this.#take(await racesApi.seek({ accept: true }));
  }

  /** A house player, at once: the place in the queue is given up for it. */
  async house(name: string, wish: Wish): Promise<string> {
    await session.ensure();
    const { ruleset, format } = wish;
    const race = await racesApi.make({
      ruleset: ruleset ?? "tavern-1",
      difficulty: "normal",
      format,
      seats: 2,
      time_limit_s: 900,
      visibility: "link",
      rated: false,
      house: name,
      ready: true,
    });
    await this.stop();
    return race.id;
  }

  async stop(): Promise<void> {
    const sought = this.#asker !== null;
    this.#halt();
    this.ticket = null;
    if (sought) await racesApi.stopSeeking().catch(() => undefined);
  }

  /** The page is left: the queue is told, if it still can be. */
  close(): void {
    if (this.ticket?.state !== "matched") void this.stop();
    this.#halt();
  }

  #keepAsking(): void {
    this.#halt();
    this.#asker = setInterval(() => void this.#ask(), ASK_MS);
    this.#ticker = setInterval(() => {
      this.waitedMs = (this.ticket?.waited_ms ?? 0) + (Date.now() - this.#heardAt);
    }, TICK_MS);
  }

  #halt(): void {
    for (const timer of [this.#asker, this.#ticker]) if (timer) clearInterval(timer);
    this.#asker = this.#ticker = null;
  }

  async #ask(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const found = await racesApi.match();
      if (this.#asker === null) return;
      this.isLost = false;
      // Dropped while this page was asleep, or an offer was let go by: queue again.
      if (found.state === "idle" && this.#wish) await this.#queueAgain();
      else this.#take(found);
    } catch (error) {
      this.isLost = error instanceof Unreachable;
    } finally {
      this.#busy = false;
    }
  }

  async #queueAgain(): Promise<void> {
    const missed = this.ticket?.state === "offered";
    if (missed) {
      // Whoever does not answer an offer is not there; do not queue him for the next.
      this.#halt();
      this.ticket = null;
      this.fellThrough = true;
      announcer.say("The offer has gone by.");
      return;
    }
    const { ruleset, format } = this.#wish ?? { ruleset: null, format: "score" };
    this.#take(await racesApi.seek({ ...(ruleset ? { ruleset } : {}), format }));
  }

  #take(ticket: Match): void {
    const before = this.ticket?.state;
    this.ticket = ticket;
    this.#heardAt = Date.now();
    this.waitedMs = ticket.waited_ms;
    if (ticket.state === "offered" && before !== "offered") {
      this.fellThrough = false;
      void play("door");
      announcer.say(`${ticket.offer?.opponent ?? "Somebody"} is here. Accept?`);
    }
    if (ticket.state === "waiting" && before && before !== "waiting") {
      this.fellThrough = true;
      announcer.say("They did not answer. Still looking.");
    }
    if (ticket.state === "matched" && ticket.race) {
      this.#halt();
      this.onMatched(ticket.race);
    }
  }
}
