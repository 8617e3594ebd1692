/** Texts of races. */
import type { Entrant, LobbyRace, Race, RaceFormat, RaceEvent } from "../api/races";
import { isAccount } from "../logic/race_events";
import { ROOMS, roomOf } from "../logic/rooms";
import { Problem } from "../logic/problem";
import { errorMessage } from "./errors";
import { capital, list, signed } from "./format";

const formats: Record<RaceFormat, { name: string; how: string }> = {
  score: { name: "Best score", how: "The best score wins. Time does not matter." },
  speed: {
    name: "Fastest",
    how: "The first player to clear the dungeon wins. Once a player has cleared it or died, the others have three minutes left.",
  },
};
export const formatName = (format: RaceFormat): string => formats[format].name;
export const formatDescription = (format: RaceFormat): string => formats[format].how;

/** "Tavern, normal · Best score · 10 min · unrated". */
export function raceTerms(
  race: Pick<Race | LobbyRace, "difficulty" | "format" | "time_limit_ms" | "rated">,
  rulesetName: string,
): string {
  return [
    `${rulesetName}, ${race.difficulty}`,
    formatName(race.format),
    `${Math.round(race.time_limit_ms / 60_000)} min`,
    race.rated ? "rated" : "unrated",
  ].join(" · ");
}

/** Shown with an offer, and on the page of the race. */
export const LINKED_MATCH =
  "Unrated: you and your opponent share a browser, a mailbox or a network address, as in a household or a school. Nobody else was searching.";

/** Why a search goes on without an offer. */
export const pauseText = (seconds: number): string =>
  `You declined offers or let them run out. You get no offer for ${clock(seconds * 1000)}. The pause grows each time.`;

/** What the race counts for, in one or two sentences. */
export function stakesText(
  race: Pick<Race, "rated" | "gives_points" | "linked">,
): string {
  if (race.linked) return LINKED_MATCH;
  if (!race.rated) return "Unrated: no rating, points or records.";
  return race.gives_points
    ? "Rated: it counts for ratings, points and records."
    : "Rated: it changes ratings. Only quick matches give points and records.";
}

export const START_RULE = "Starts when all are ready, or when the host starts it.";

/** "9:41", "0:07": minutes and seconds, rounded up. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const endStates: Partial<Record<Entrant["state"], string>> = {
  cleared: "cleared",
  died: "died",
  forfeited: "gave up",
  timed_out: "out of time",
  no_show: "did not start",
  disqualified: "disqualified",
};

/** The status of an entrant in at most two words. */
export function entrantStatus(entrant: Pick<Entrant, "state" | "depth">): string {
  if (entrant.state === "joined") return "not ready";
  if (entrant.state === "ready") return "ready";
  return endStates[entrant.state] ?? `room ${roomOf(entrant)}`;
}

/** The status of an entrant in full, for screen readers. */
export function entrantStatusLong(
  entrant: Pick<Entrant, "state" | "depth" | "present" | "kind">,
): string {
  const where = `in room ${roomOf(entrant)} of ${ROOMS}`;
  const away = entrant.present || !isAccount(entrant) ? "" : ", away";
  switch (entrant.state) {
    case "joined":
    case "ready":
      return `${entrantStatus(entrant)}${away}`;
    case "racing":
      return `${where}${away}`;
    case "cleared":
      return "has cleared the dungeon";
    case "no_show":
      return "did not start";
    default:
      return `${entrantStatus(entrant)} ${where}`;
  }
}

export const entrantKindLabel: Record<Entrant["kind"], string> = {
  player: "",
  bot: "program",
  house: "bot",
  ghost: "ghost",
};

export interface RaceBot {
  name: string;
  about: string;
}
export const raceBots: readonly RaceBot[] = [
  { name: "House Rat", about: "Plays fast and simply. The easiest." },
  { name: "House Jackal", about: "Plans a little. Medium." },
  { name: "House Fox", about: "Plans ahead. The hardest." },
];

const leaveTexts: Record<string, (who: string) => string> = {
  removed: (who) => `The host removed ${who}.`,
  idle: (who) => `${who} was not ready in time and lost the seat.`,
};

const eventTexts: Record<string, (who: string, event: RaceEvent) => string> = {
  joined: (who) => `${who} joins.`,
  left: (who, event) => leaveTexts[String(event.reason)]?.(who) ?? `${who} leaves.`,
  readied: (who) => `${who} is ready.`,
  unreadied: (who) => `${who} is no longer ready.`,
  forfeiting: (who) => `${who} is giving up.`,
  forfeit_taken_back: (who) => `${who} continues.`,
  outage: (_, event) =>
    event.outage_ms === 0
      ? "The server's clock was corrected, so the end of the race has moved."
      : event.unrated_at
        ? "The server was down for the rest of the race, so it is unrated."
        : "The server was down. The race ends later by as much time.",
  closed_early: (who) => `${who} ends the race.`,
  rematched: () => "A rematch was offered.",
  held: () => "A moderator is checking the race. It is settled later.",
  released: () => "The race can be settled now.",
  voided: () => "The race no longer counts.",
  restored: () => "The race counts again.",
  disqualified: (who) => `${who} is disqualified.`,
  requalified: (who) => `${who} counts again.`,
};

const endTexts: Record<string, (who: string, room: number) => string> = {
  cleared: (who) => `${who} has cleared the dungeon.`,
  died: (who, room) => `${who} dies in room ${room}.`,
  forfeited: (who, room) => `${who} gives up in room ${room}.`,
  timed_out: (who, room) => `${who} runs out of time in room ${room}.`,
  no_show: (who) => `${who} did not start.`,
};

/** An event as a sentence; null for events that are not announced. */
export function eventText(event: RaceEvent): string | null {
  const who = String(event.player ?? "Somebody");
  const ending = endTexts[String(event.state)];
  if ((event.kind === "moved" || event.kind === "ended") && ending) {
    const entrant = { state: event.state, depth: Number(event.depth ?? 0) } as Entrant;
    return ending(who, roomOf(entrant));
  }
  return eventTexts[event.kind]?.(who, event) ?? null;
}

const places = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
export const placeText = (place: number): string => places[place - 1] ?? "last";
/** "1st", "2nd", "11th". */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  return `${place}${(isTeen ? "" : ["th", "st", "nd", "rd"][place % 10]) || "th"}`;
}

/** The heading of a race's result. */
export function resultHeading(race: Race): string {
  const own = race.entrants.find((one) => one.seat === race.you.seat);
  const first = race.entrants.filter((one) => one.place === 1);
  if (race.phase === "voided") return "This race does not count";
  if (race.phase === "closed" || race.phase === "held") return "All runs have ended";
  if (own?.place === 1) {
    return first.length > 1 ? "You share first place" : "You win";
  }
  if (own?.place) return `You finished ${placeText(own.place)}`;
  if (own) return "The race is over";
  const who = list(first.map((one) => one.player));
  if (!who) return "Nobody wins";
  return first.length > 1 ? `${who} share first place` : `${who} wins`;
}

/** How an entrant's run ended. */
export function entrantResult(entrant: Entrant): string {
  if (entrant.state === "cleared") return "Cleared";
  const room = roomOf(entrant);
  if (entrant.state === "no_show") return "Did not start";
  return `${capital(endStates[entrant.state] ?? "stopped")}, room ${room}`;
}

/** "+14", "±0", "−3". */
export const ratingChangeText = (change: number): string =>
  change > 0 ? `+${change}` : change === 0 ? "±0" : signed(change);

/**
 * The title of the browser tab. It flashes during the countdown while the tab is
 * hidden.
 */
export function raceTitle(race: Race, now: number, isHidden: boolean): string {
  const seconds = race.starts_at
    ? Math.max(0, Math.ceil((Date.parse(race.starts_at) - now) / 1000))
    : 0;
  const name = "Race · Scoundrel Live";
  switch (race.phase) {
    case "open": {
      const ready = race.entrants.filter((one) => one.state === "ready").length;
      return `${ready}/${race.entrants.length} ready · ${name}`;
    }
    case "countdown":
      return isHidden && seconds % 2 === 1 ? "▶ STARTING" : `${seconds} · ${name}`;
    case "running":
      return `Racing · ${name}`;
    default:
      return name;
  }
}

const cancelReasons: Record<string, string> = {
  expired: "It was not started within an hour.",
  too_few: "Too few players were left: somebody left during the countdown.",
  withdrawn: "The player who asked for the rematch has left.",
  outage: "The server was down when it should have started.",
  empty: "Everybody left.",
};
export const cancelReasonText = (reason: string | null): string =>
  (reason && cancelReasons[reason]) || "It did not start.";

/** The race id at the end of a link or a code; null if there is none. */
export function raceIdIn(text: string): string | null {
  const found = /(?:\/(?:r|race)\/)?([\w-]{6,40})\/?\s*$/.exec(text.trim());
  return found?.[1] ?? null;
}

const REMOVED = "The host removed you from this race. You can watch it.";
const seatLosses: Record<string, string> = {
  removed: REMOVED,
  idle: "You were not ready for two minutes, so your seat was released.",
};
/** Why the player has lost the seat; empty if they left by themselves. */
export const seatLossText = (reason: string | null): string =>
  (reason && seatLosses[reason]) || "";

export const RELEASE_RULE =
  "Once the race is full, a player who is not ready for two minutes loses the seat.";
export const COUNTDOWN_RULE =
  "Rated: leaving once the countdown has begun counts as abandoning the race.";

const refusals: Record<string, string> = {
  "race.full": "Every seat is taken. You can watch.",
  "race.wrong_phase": "That is not possible at this stage of the race.",
  "race.rated_needs_account": "Rated races are for players with an account.",
  "race.rated_two_seats": "A rated race that you create has two seats.",
  "race.linked_accounts":
    "Accounts that share a browser, a mailbox or a network address cannot race each other for ratings. Create an unrated race instead.",
  "race.not_found": "There is no such race.",
  "race.removed": REMOVED,
  "race.close_not_gone":
    "Not yet: a player who is still racing was here within the last minute.",
  "chat.phrases_only": "During the race you can only send the fixed phrases.",
  "chat.too_fast": "You are sending messages too fast. Wait a moment.",
  "race.take_back_too_late": "Too late: you have given up.",
};

/** What to tell the player about a failed request of a race. */
export function raceErrorText(error: unknown): string {
  const known = error instanceof Problem ? refusals[error.code] : undefined;
  return known ?? errorMessage(error);
}
