/**
 * Applies events to a race.
 *
 * A snapshot plus the events after it equals the current snapshot. Events that cannot
 * be applied return null; the caller then requests a fresh snapshot.
 */
import type { Entrant, EntrantState, Race, RaceEvent } from "../api/races";

/** The time during which a forfeit can be undone. */
export const TAKE_BACK_MS = 5_000;

type Change = (race: Race, event: RaceEvent) => Race;

const endedStates: ReadonlySet<EntrantState> = new Set([
  "cleared",
  "died",
  "forfeited",
  "timed_out",
  "no_show",
  "disqualified",
]);

/** Whether an entrant's run has ended. */
export const isOver = (entrant: Entrant): boolean => endedStates.has(entrant.state);

/** Whether an account plays, itself or by a program: no bot of the site, no ghost. */
export const isAccount = (entrant: Pick<Entrant, "kind">): boolean =>
  entrant.kind === "player" || entrant.kind === "bot";

function updateEntrant(race: Race, event: RaceEvent, change: Partial<Entrant>): Race {
  const entrants = race.entrants.map((one) =>
    one.seat === event.seat ? { ...one, ...change } : one,
  );
  return { ...race, entrants };
}

/**
 * Applies progress to an entrant. Scores of others stay hidden until the race is
 * closed.
 */
function withProgress(race: Race, event: RaceEvent): Race {
  const change: Partial<Entrant> = {};
  if (typeof event.depth === "number") change.depth = event.depth;
  if (typeof event.state === "string") change.state = event.state as EntrantState;
  if (event.entrant_kind) change.kind = event.entrant_kind as Entrant["kind"];
  if (endedStates.has(change.state ?? "racing")) {
    if (typeof event.elapsed_ms === "number") change.elapsed_ms = event.elapsed_ms;
    if (event.seat === race.you.seat && typeof event.score === "number") {
      change.score = event.score;
    }
  }
  const after = updateEntrant(race, event, change);
  if (typeof event.deadline_at === "string") after.deadline_at = event.deadline_at;
  return after;
}

/** Merges the results of each seat into its entrant. */
function withResults(race: Race, event: RaceEvent): Race {
  const found = event.results as (Partial<Entrant> & { seat: number })[];
  return {
    ...race,
    entrants: race.entrants.map((one) => {
      const own = found.find((result) => result.seat === one.seat);
      return own ? { ...one, ...own, player: one.player } : one;
    }),
  };
}

function withEntrant(race: Race, event: RaceEvent): Race {
  const entrant = event.entrant as Entrant;
  const others = race.entrants.filter((one) => one.seat !== entrant.seat);
  const entrants = [...others, entrant].sort((a, b) => a.seat - b.seat);
  const isFull = entrants.length >= race.seats;
  return { ...race, entrants, full_since: isFull ? event.at : race.full_since };
}

function withoutEntrant(race: Race, event: RaceEvent): Race {
  const entrants = race.entrants.filter((one) => one.seat !== event.seat);
  const you = race.you.seat === event.seat ? { seat: null, player: null } : race.you;
  const host = typeof event.host === "string" ? event.host : race.host;
  return { ...race, entrants, you, host, full_since: null };
}

function withTimes(race: Race, event: RaceEvent): Race {
  const { starts_at, deadline_at, seal } = event as unknown as Race;
  return { ...race, starts_at, deadline_at, seal: seal ?? race.seal };
}

function withStart(race: Race, event: RaceEvent): Race {
  const entrants = race.entrants.map((one) => ({
    ...one,
    state: "racing" as const,
    depth: 0,
    unready_since: null,
  }));
  return { ...withTimes(race, event), phase: "running", entrants };
}

const changes: Record<string, Change> = {
  hidden: (race) => race,
  made: (race) => race,
  joined: withEntrant,
  left: withoutEntrant,
  readied: (race, event) =>
    updateEntrant(race, event, { state: "ready", unready_since: null }),
  unreadied: (race, event) =>
    updateEntrant(race, event, { state: "joined", unready_since: event.at }),
  countdown_begun: (race, event) => ({ ...withTimes(race, event), phase: "countdown" }),
  cancelled: (race) => ({ ...race, phase: "cancelled" }),
  started: withStart,
  moved: withProgress,
  forfeiting: (race, event) =>
    updateEntrant(race, event, {
      forfeits_at: new Date(Date.parse(event.at) + TAKE_BACK_MS).toISOString(),
    }),
  forfeit_taken_back: (race, event) =>
    updateEntrant(race, event, { forfeits_at: null }),
  ended: withProgress,
  closed_early: (race, event) => ({
    ...race,
    deadline_at: String(event.deadline_at),
  }),
  closed: (race, event) => ({
    ...withResults(race, event),
    phase: race.held ? "held" : "closed",
    seed: typeof event.seed === "string" ? event.seed : race.seed,
  }),
  settled: (race, event) => ({ ...withResults(race, event), phase: "settled" }),
  rematched: (race, event) => ({ ...race, rematch: String(event.race) }),
  outage: (race, event) => ({
    ...race,
    deadline_at: String(event.deadline_at),
    rated: event.rated === true,
    unrated_at:
      typeof event.unrated_at === "string" ? event.unrated_at : race.unrated_at,
  }),
  appeared: (race, event) =>
    updateEntrant(race, event, { present: true, away_since: null }),
  unsaid: (race) => race,
  vanished: (race, event) =>
    updateEntrant(race, event, { present: false, away_since: event.at }),
};

/** The race after the event; null if a snapshot is needed. */
export function applyRaceEvent(race: Race, event: RaceEvent): Race | null {
  const change = changes[event.kind];
  if (!change || event.seq !== race.seq + 1) return null;
  if (/^(closed|settled)$/.test(event.kind) && !Array.isArray(event.results))
    return null;
  if (event.kind === "joined" && typeof event.entrant !== "object") return null;
  const rev = typeof event.rev === "number" ? event.rev : race.rev;
  return { ...change(race, event), seq: event.seq, rev };
}
