/**
 * A race and one thing that happened: the race after it. Pure.
 *
 * A snapshot and the events after it are the snapshot now. What cannot be folded in is
 * answered with null, and whoever asked gets a fresh snapshot instead.
 */
import type { Entrant, EntrantState, Race, RaceNews } from "../api/races";

/** A forfeit comes into force so long after it was said. */
export const TAKE_BACK_MS = 5_000;

type Change = (race: Race, news: RaceNews) => Race;

const overs: ReadonlySet<EntrantState> = new Set([
  "cleared",
  "died",
  "forfeited",
  "timed_out",
  "no_show",
  "disqualified",
]);

/** Whether an entrant's run has ended. */
export const isOver = (entrant: Entrant): boolean => overs.has(entrant.state);

function at(race: Race, news: RaceNews, change: Partial<Entrant>): Race {
  const entrants = race.entrants.map((one) =>
    one.seat === news.seat ? { ...one, ...change } : one,
  );
  return { ...race, entrants };
}

/** Of an event, the facts that an entrant shows. A stranger's score waits. */
function progress(race: Race, news: RaceNews): Race {
  const change: Partial<Entrant> = {};
  if (typeof news.depth === "number") change.depth = news.depth;
  if (typeof news.state === "string") change.state = news.state as EntrantState;
  if (overs.has(change.state ?? "racing")) {
    if (typeof news.elapsed_ms === "number") change.elapsed_ms = news.elapsed_ms;
    if (news.seat === race.you.seat && typeof news.score === "number") {
      change.score = news.score;
    }
  }
  const after = at(race, news, change);
  if (typeof news.deadline_at === "string") after.deadline_at = news.deadline_at;
  return after;
}

/** Puts each seat's part of `results` to its entrant. */
function results(race: Race, news: RaceNews): Race {
  const found = news.results as (Partial<Entrant> & { seat: number })[];
  return {
    ...race,
    entrants: race.entrants.map((one) => {
      const own = found.find((result) => result.seat === one.seat);
      return own ? { ...one, ...own, player: one.player } : one;
    }),
  };
}

function seated(race: Race, news: RaceNews): Race {
  const entrant = news.entrant as Entrant;
  const others = race.entrants.filter((one) => one.seat !== entrant.seat);
  const entrants = [...others, entrant].sort((a, b) => a.seat - b.seat);
  return { ...race, entrants };
}

function left(race: Race, news: RaceNews): Race {
  const entrants = race.entrants.filter((one) => one.seat !== news.seat);
  const you = race.you.seat === news.seat ? { seat: null, player: null } : race.you;
  const host = typeof news.host === "string" ? news.host : race.host;
  return { ...race, entrants, you, host };
}

function terms(race: Race, news: RaceNews): Race {
  const { starts_at, deadline_at, seal } = news as unknown as Race;
  return { ...race, starts_at, deadline_at, seal: seal ?? race.seal };
}

function started(race: Race, news: RaceNews): Race {
  const entrants = race.entrants.map((one) => ({
    ...one,
    state: "racing" as const,
    depth: 0,
  }));
  return { ...terms(race, news), phase: "running", entrants };
}

const changes: Record<string, Change> = {
  hidden: (race) => race,
  made: (race) => race,
  joined: seated,
  left,
  readied: (race, news) => at(race, news, { state: "ready" }),
  unreadied: (race, news) => at(race, news, { state: "joined" }),
  countdown_begun: (race, news) => ({ ...terms(race, news), phase: "countdown" }),
  cancelled: (race) => ({ ...race, phase: "cancelled" }),
  started,
  moved: progress,
  forfeiting: (race, news) =>
    at(race, news, {
      forfeits_at: new Date(Date.parse(news.at) + TAKE_BACK_MS).toISOString(),
    }),
  forfeit_taken_back: (race, news) => at(race, news, { forfeits_at: null }),
  ended: progress,
  closed: (race, news) => ({
    ...results(race, news),
    phase: race.held ? "held" : "closed",
    seed: typeof news.seed === "string" ? news.seed : race.seed,
  }),
  settled: (race, news) => ({ ...results(race, news), phase: "settled" }),
  rematched: (race, news) => ({ ...race, rematch: String(news.race) }),
  appeared: (race, news) => at(race, news, { present: true }),
  unsaid: (race) => race,
  vanished: (race, news) => at(race, news, { present: false }),
};

/** The race after that event; null if only a snapshot can tell. */
export function fold(race: Race, news: RaceNews): Race | null {
  const change = changes[news.kind];
  if (!change || news.seq !== race.seq + 1) return null;
  if (/^(closed|settled)$/.test(news.kind) && !Array.isArray(news.results)) return null;
  if (news.kind === "joined" && typeof news.entrant !== "object") return null;
  const rev = typeof news.rev === "number" ? news.rev : race.rev;
  return { ...change(race, news), seq: news.seq, rev };
}
