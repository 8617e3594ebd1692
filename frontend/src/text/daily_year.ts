/** A year of dailies as a calendar: weeks across, Monday to Sunday down. */
import type { Streak, Year, YearDay } from "../net/dailies";
import type { RunStatus } from "../net/shapes";

const DAY_MS = 86_400_000;

export type DayMark = "cleared" | "died" | "playing" | "other" | "none" | "ahead";

export interface CalendarDay {
  on: string;
  /** Monday is 0. */
  weekday: number;
  week: number;
  mark: DayMark;
}

const marks: Partial<Record<RunStatus, DayMark>> = {
  cleared: "cleared",
  died: "died",
  playing: "playing",
};
const worth: readonly DayMark[] = ["cleared", "died", "other", "playing"];

/** Of several attempts a day (one a ruleset) the best is shown. */
function markOf(days: readonly YearDay[]): DayMark {
  const found = days.map((day) => marks[day.status] ?? "other");
  return worth.find((mark) => found.includes(mark)) ?? "none";
}

/** The months `first` to `last` (1 to 12) of a year as weeks; `today` is a UTC date. */
export function calendarOf(
  year: Pick<Year, "year" | "days">,
  first: number,
  last: number,
  today: string,
): CalendarDay[] {
  const byDate = new Map<string, YearDay[]>();
  for (const day of year.days) {
    byDate.set(day.date, [...(byDate.get(day.date) ?? []), day]);
  }
  const from = Date.UTC(year.year, first - 1, 1);
  const until = Date.UTC(year.year, last, 1);
  const lead = (new Date(from).getUTCDay() + 6) % 7;
  const days: CalendarDay[] = [];
  for (let at = from, n = lead; at < until; at += DAY_MS, n += 1) {
    const on = new Date(at).toISOString().slice(0, 10);
    const mark = on > today ? "ahead" : markOf(byDate.get(on) ?? []);
    days.push({ on, weekday: n % 7, week: Math.floor(n / 7), mark });
  }
  return days;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** The months of a calendar, each over the week it begins in. */
export function monthsOf(
  days: readonly CalendarDay[],
): { name: string; week: number }[] {
  return days
    .filter((day) => day.on.endsWith("-01"))
    .map((day) => ({
      name: MONTHS[Number(day.on.slice(5, 7)) - 1] ?? "",
      week: day.week,
    }));
}

export const markWords: Record<Exclude<DayMark, "ahead">, string> = {
  cleared: "got out",
  died: "died",
  other: "gave up, or ran out of time",
  playing: "still in there",
  none: "not played",
};

/** "12 days played, out alive on 3." */
export function yearWords(year: Pick<Year, "days">): string {
  const played = new Set(year.days.map((day) => day.date)).size;
  const alive = year.days.filter((day) => day.status === "cleared");
  const out = new Set(alive.map((day) => day.date)).size;
  if (played === 0) return "No day played yet.";
  const days = played === 1 ? "One day played" : `${played} days played`;
  return `${days}, out alive on ${out === 0 ? "none" : out}.`;
}

/** What is to be said of a row of days: what keeps it, what has broken it. */
export function streakWords(streak: Streak): string {
  const { current, longest, played_today, freeze_ready_on } = streak;
  if (current === 0) {
    return longest > 0
      ? `It broke. The longest was ${longest}.`
      : "A ranked daily starts one.";
  }
  const best = longest > current ? ` Longest ${longest}.` : "";
  if (played_today) return `Today is in.${best}`;
  return freeze_ready_on === null
    ? `Play today to go on. A missed day would be bridged, once.${best}`
    : `Play today, or it breaks.${best}`;
}
