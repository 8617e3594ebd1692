/**
 * The tables of other entrants, as far as a spectator may see them: each after the last
 * move below the horizon, which the server decides.
 *
 * An event that was masked may be visible later, when the slowest entrant has come as
 * far. So the events are reloaded from time to time.
 */
import { racesApi, type RaceEvent } from "../../api/races";
import type { Effect, Table } from "../../api/runs";

const REFRESH_MS = 8_000;

export interface SpectatorBoard {
  index: number;
  depth: number;
  table: Table;
  effects: readonly Effect[];
}

/** By seat. */
export type BoardsBySeat = Readonly<Record<number, SpectatorBoard>>;

/** The latest visible table of each seat in the events. */
export function visibleBoards(
  events: readonly RaceEvent[],
  before: BoardsBySeat = {},
): BoardsBySeat {
  const seen: Record<number, SpectatorBoard> = { ...before };
  for (const { kind, seat, index, depth, table, effects } of events) {
    if (kind !== "moved" || typeof seat !== "number" || typeof index !== "number")
      continue;
    if (typeof table !== "object" || table === null) continue;
    if ((seen[seat]?.index ?? -1) >= index) continue;
    seen[seat] = {
      index,
      depth: Number(depth ?? 0),
      table: table as Table,
      effects: (effects ?? []) as Effect[],
    };
  }
  return seen;
}

export class SpectatorBoards {
  bySeat = $state.raw<BoardsBySeat>({});
  readonly #race: string;
  #masked = false;
  /** False for entrants who are still racing. */
  #isStarted = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(race: string) {
    this.#race = race;
  }

  /** Handles an event of the race. */
  handleEvent(event: RaceEvent): void {
    if (event.masked === true) this.#masked = true;
    if (event.kind === "moved") this.bySeat = visibleBoards([event], this.bySeat);
    if (this.#isStarted && this.#timer === null && this.#masked) this.#scheduleFetch();
  }

  /** Starts loading the tables. */
  start(): void {
    if (!this.#isStarted) void this.#fetch();
    this.#isStarted = true;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #scheduleFetch(): void {
    // With jitter, so that spectators do not all request at once.
    const ms = REFRESH_MS * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => void this.#fetch(), ms);
  }

  async #fetch(): Promise<void> {
    this.#timer = null;
    this.#masked = false;
    if (this.#closed || document.visibilityState === "hidden") return;
    try {
      const events = await racesApi.events(this.#race);
      this.bySeat = visibleBoards(events, this.bySeat);
    } catch {
      // The next event will ask again.
    }
  }
}
