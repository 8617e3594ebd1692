/** Texts of dailies: dates, times, results and how the dungeon was chosen. */
import type { Band, Daily, DailyLine, DailyYou, Streak, Year } from "../api/dailies";
import type { RunStatus } from "../api/runs";
import type { DayResult } from "../logic/year_calendar";
import { signed } from "./format";
import { ordinal } from "./races";
import { outcome } from "./results";

const long = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});
const short = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** "Monday 30 November" for a UTC date; with the year if it is not the current one. */
export function dayLong(on: string, now = Date.now()): string {
  const words = long.format(Date.parse(on)).replace(",", "");
  return on.slice(0, 4) === dateOf(now).slice(0, 4)
    ? words
    : `${words} ${on.slice(0, 4)}`;
}

/** "Mon 30 Nov 2026". */
export function dayShort(on: string): string {
  return short.format(Date.parse(on)).replaceAll(",", "");
}

/** The UTC date (YYYY-MM-DD) of an instant in milliseconds. */
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The date `days` days later; earlier if negative. */
export const daysOn = (on: string, days: number): string =>
  dateOf(Date.parse(on) + days * 86_400_000);

/** "3 days 7 h", "7 h 12 min", "12 min 4 s", "9 s"; negative times read "0 s". */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  if (days >= 2) return `${days} days ${Math.floor(minutes / 60) % 24} h`;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** "01:00" in a time zone; the reader's own by default. */
export function clockTime(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(timeZone ? { timeZone } : {}),
  }).format(Date.parse(instant));
}

/** When the next daily opens, in UTC and in local time. */
export function newDungeonAt(closesAt: string, timeZone?: string): string {
  const here = clockTime(closesAt, timeZone);
  return here === "00:00"
    ? "A new dungeon every day at 00:00 UTC."
    : `A new dungeon every day at 00:00 UTC, ${here} where you are.`;
}

/** "00:35 UTC", with the local time if it differs. */
export function settlesAt(instant: string, timeZone?: string): string {
  const [utc, here] = [clockTime(instant, "UTC"), clockTime(instant, timeZone)];
  return utc === here ? `${utc} UTC` : `${utc} UTC (${here} where you are)`;
}

const bandNames: Record<Band, string> = {
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
};
export const bandName = (band: Band): string => bandNames[band];

/** The measured difficulty, or the planned one while nothing is measured. */
export function difficultyText({
  band,
  planned,
}: Pick<DailyLine, "band" | "planned">): string {
  return bandName(band ?? planned);
}

/** Whether the difficulty is measured or planned. */
export function difficultySource({ band }: Pick<DailyLine, "band">): string {
  return band
    ? "Measured difficulty"
    : "Planned difficulty; measured once the dungeon is chosen";
}

/** "3rd of 17", or "3rd of 17 so far" before the board is settled. */
export function rankText(you: DailyYou, isSettled: boolean): string | null {
  if (you.rank === null || you.of === null) return null;
  return `${ordinal(you.rank)} of ${you.of}${isSettled ? "" : " so far"}`;
}

/** "84 % of the others did no better." */
export function percentileText(percentile: number | null, of: number | null): string {
  if (percentile === null || of === null || of < 2) return "";
  return `${Math.floor(percentile)} % of the others did no better.`;
}

/** Where the player can do what makes an unranked attempt ranked; null if nowhere. */
export function rankingLink(
  ranking: Daily["ranking"],
  isGuest: boolean,
): { href: string; label: string } | null {
  switch (ranking?.reason) {
    case "guest":
      return { href: "/sign-up", label: "Sign up" };
    case "address_seen":
      return isGuest ? { href: "/sign-in", label: "Sign in" } : null;
    case "restricted":
      return { href: "/account/standing", label: "Your standing" };
    case "unqualified":
    case "history_taken":
    case "bot_unverified":
      return { href: "/account", label: "Your account" };
    default:
      return null;
  }
}

export type DailyStatus = "new" | "playing" | "over" | "missed" | "ahead";

/** The player's status in a daily. */
export function dailyStatus(daily: Pick<Daily, "phase" | "you">): DailyStatus {
  if (daily.phase === "ahead") return "ahead";
  if (daily.you?.status === "playing") return "playing";
  if (daily.you?.run) return "over";
  return daily.phase === "open" ? "new" : "missed";
}

/** The status in a line: "Died, −26. 3rd of 17 so far." */
export function dailyStatusText(daily: Pick<Daily, "phase" | "you">): string {
  const { you } = daily;
  switch (dailyStatus(daily)) {
    case "ahead":
      return "Not open yet.";
    case "new":
      return "Not played yet. You have one attempt.";
    case "missed":
      return "You did not play that day.";
    case "playing":
      return "Your attempt is in progress.";
    default: {
      const rank = you && rankText(you, daily.phase === "settled");
      const how = resultText(you?.status as RunStatus, you?.score ?? null);
      return `${how}. ${rank ? `${rank}.` : you?.ranked ? "" : "Unranked."}`.trim();
    }
  }
}

/** "Cleared, 14". */
export function resultText(status: RunStatus, score: number | null): string {
  return score === null ? outcome(status) : `${outcome(status)}, ${signed(score)}`;
}

/** "One player", "17 players". */
export const playerCountText = (players: number): string =>
  players === 0 ? "Nobody" : players === 1 ? "One player" : `${players} players`;

export function playersText(daily: Pick<DailyLine, "phase" | "players">): string {
  const { players } = daily;
  if (daily.phase === "ahead") return "";
  if (players === 0) return daily.phase === "open" ? "Nobody yet." : "Nobody played.";
  const who = playerCountText(players);
  return daily.phase === "open" ? `${who} so far.` : `${who} played.`;
}

/** How the dungeon of a settled daily was chosen. */
export function candidateText(daily: Daily): string {
  const nth = `candidate ${daily.candidate ?? 0}`;
  switch (daily.choice) {
    case "planned":
      return `It is ${nth}, the first that can be won and is ${daily.planned} as planned.`;
    case "winnable":
      return `It is ${nth}, the first that can be won.`;
    default:
      return `It is ${nth}, because no candidate was proved to be winnable in time.`;
  }
}

/** "A computer player cleared it in 9 of 20 games. The best possible score is 24." */
export function assessmentText(daily: Daily): string {
  const found = daily.assessment;
  if (!found) return "";
  const best =
    found.best === null ? "" : ` The best possible score is ${signed(found.best)}.`;
  return `A computer player cleared it in ${found.cleared} of ${found.games} games.${best}`;
}

const refusals: Record<string, string> = {
  "daily.not_open": "This daily is not open yet.",
  "daily.closed": "This daily is closed.",
  "daily.not_found": "There is no daily for this date and ruleset.",
  "daily.attempt_first": "Play your own attempt first.",
  "daily.practice_later":
    "You can practise on this deck once its board is settled, because others still play it.",
};
export const dailyRefusal = (code: string): string | null => refusals[code] ?? null;

export const dayResultText: Record<Exclude<DayResult, "ahead">, string> = {
  cleared: "cleared",
  died: "died",
  other: "gave up, or ran out of time",
  playing: "still playing",
  none: "not played",
};

/** "12 days played, cleared on 3." */
export function yearText(year: Pick<Year, "days">): string {
  const played = new Set(year.days.map((day) => day.date)).size;
  const alive = year.days.filter((day) => day.status === "cleared");
  const out = new Set(alive.map((day) => day.date)).size;
  if (played === 0) return "No day played yet.";
  const days = played === 1 ? "One day played" : `${played} days played`;
  return `${days}, cleared on ${out === 0 ? "none" : out}.`;
}

/** What continues the streak, or that it has ended. */
export function streakText(streak: Streak): string {
  const { current, longest, played_today, freeze_ready_on, bridged } = streak;
  if (current === 0) {
    return longest > 0
      ? `Your streak ended. The longest was ${longest}.`
      : "Play a ranked daily to start a streak.";
  }
  const best = longest > current ? ` Longest ${longest}.` : "";
  if (played_today) return `You have played today.${best}`;
  if (bridged.length > 0) {
    return `Play today to continue it. Days on which the server was down do not end it.${best}`;
  }
  return freeze_ready_on === null
    ? `Play today to continue it. If you miss one day, it does not end.${best}`
    : `Play today or it ends.${best}`;
}
