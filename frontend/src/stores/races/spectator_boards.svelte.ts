/**
 * What a looker-on may see of the runs of others: each one's table after his last move
 * below the horizon. The server decides what that is; here it is only kept.
 *
 * An event that was masked when it came may be shown in full later, when the slowest has
 * come as far. So the events are asked for again now and then, while somebody looks.
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

/** The latest full sight of each seat's table in those events. */
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
  /** Whoever races himself does not look. */
  #isStarted = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(race: string) {
    this.#race = race;
  }

  /** An event as it came. */
  handleEvent(event: RaceEvent): void {
    if (event.masked === true) this.#masked = true;
    if (event.kind === "moved") this.bySeat = visibleBoards([event], this.bySeat);
    if (this.#isStarted && this.#timer === null && this.#masked) this.#scheduleFetch();
  }

  /** Somebody has begun to look. */
  start(): void {
    if (!this.#isStarted) void this.#fetch();
    this.#isStarted = true;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #scheduleFetch(): void {
    // Spread, lest a thousand lookers-on ask in the same moment.
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
