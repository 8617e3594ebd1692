/**
 * The search for a quick match: a ticket in the queue, polled until it is matched or
 * cancelled. Leaving the page cancels it.
 */
import { Unreachable } from "../../logic/problem";
import { racesApi, type Match, type RaceFormat } from "../../api/races";
import { announcer } from "../core/announcer.svelte";
import { session } from "../accounts/session.svelte";
import { play } from "../core/sound";

const POLL_MS = 1_500;
const TICK_MS = 250;
/** The server ends a search that was not polled for this long. */
const DROPPED_AFTER_MS = 45_000;

interface Search {
  ruleset: Match["ruleset"];
  format: RaceFormat;
}

export class MatchStore {
  /** null while not searching. */
  ticket = $state.raw<Match | null>(null);
  /** The waiting time; between answers it is counted here. */
  waitedMs = $state(0);
  isOffline = $state(false);
  /** An offer expired or was declined, and nothing has happened since. */
  offerExpired = $state(false);
  /** The search ended because the player joined a race elsewhere. */
  endedByRace = $state(false);
  onMatched: (race: string) => void = () => undefined;

  #pollTimer: ReturnType<typeof setInterval> | null = null;
  #tickTimer: ReturnType<typeof setInterval> | null = null;
  #answeredAt = 0;
  #busy = false;
  #search: Search | null = null;

  async seek(search: Search): Promise<void> {
    await session.ensure();
    this.#search = search;
    this.offerExpired = this.endedByRace = false;
    const { ruleset, format } = search;
    this.#setTicket(await racesApi.seek({ ...(ruleset ? { ruleset } : {}), format }));
    this.#startPolling();
  }

  /** Continues a search that is going on already; whether there was one. */
  async resume(): Promise<boolean> {
    const account = await session.find().catch(() => null);
    const found = account ? await racesApi.match().catch(() => null) : null;
    if (!found || found.race !== null || found.state === "idle") return false;
    this.#search = { ruleset: found.ruleset, format: found.format ?? "score" };
    this.#setTicket(found);
    this.#startPolling();
    return true;
  }

  async accept(): Promise<void> {
    this.#setTicket(await racesApi.seek({ accept: true }));
  }

  /** Creates a race against a bot and cancels the search; returns the race's id. */
  async raceBot(name: string, search: Search): Promise<string> {
    await session.ensure();
    const { ruleset, format } = search;
    const race = await racesApi.create({
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
    const sought = this.#pollTimer !== null;
    this.#stopTimers();
    this.ticket = null;
    if (sought) await racesApi.stopMatchmaking().catch(() => undefined);
  }

  /** Cancels the search when the page is left. */
  close(): void {
    if (this.ticket?.state !== "matched") void this.stop();
    this.#stopTimers();
  }

  #startPolling(): void {
    this.#stopTimers();
    this.#pollTimer = setInterval(() => void this.#poll(), POLL_MS);
    this.#tickTimer = setInterval(() => {
      this.waitedMs = (this.ticket?.waited_ms ?? 0) + (Date.now() - this.#answeredAt);
    }, TICK_MS);
  }

  #stopTimers(): void {
    for (const timer of [this.#pollTimer, this.#tickTimer])
      if (timer) clearInterval(timer);
    this.#pollTimer = this.#tickTimer = null;
  }

  async #poll(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const found = await racesApi.match();
      if (this.#pollTimer === null) return;
      this.isOffline = false;
      // Dropped while the page was asleep, or the offer expired: search again.
      if (found.state === "idle" && this.#search) await this.#queueAgain();
      else this.#setTicket(found);
    } catch (error) {
      this.isOffline = error instanceof Unreachable;
    } finally {
      this.#busy = false;
    }
  }

  async #queueAgain(): Promise<void> {
    const missed = this.ticket?.state === "offered";
    if (missed) {
      // A player who ignores an offer is away; do not search for another.
      this.#stopTimers();
      this.ticket = null;
      this.offerExpired = true;
      announcer.say("The offer expired.");
      return;
    }
    if (Date.now() - this.#answeredAt < DROPPED_AFTER_MS) {
      this.#stopTimers();
      this.ticket = null;
      this.endedByRace = true;
      announcer.say("The search has ended, because you joined a race.");
      return;
    }
    const { ruleset, format } = this.#search ?? { ruleset: null, format: "score" };
    this.#setTicket(await racesApi.seek({ ...(ruleset ? { ruleset } : {}), format }));
  }

  #setTicket(ticket: Match): void {
    const before = this.ticket?.state;
    this.ticket = ticket;
    this.#answeredAt = Date.now();
    this.waitedMs = ticket.waited_ms;
    if (ticket.state === "offered" && before !== "offered") {
      this.offerExpired = false;
      void play("door");
      announcer.say(`Opponent found: ${ticket.offer?.opponent ?? "somebody"}. Accept?`);
    }
    if (ticket.state === "waiting" && before && before !== "waiting") {
      this.offerExpired = true;
      announcer.say("The other player did not accept. Still searching.");
    }
    if (ticket.state === "matched" && ticket.race) {
      this.#stopTimers();
      this.onMatched(ticket.race);
    }
  }
}
