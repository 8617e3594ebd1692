/** A year of dailies as a calendar: one column a week, Monday to Sunday. */
import type { Year, YearDay } from "../api/dailies";
import type { RunStatus } from "../api/runs";

const DAY_MS = 86_400_000;

export type DayResult = "cleared" | "died" | "playing" | "other" | "none" | "ahead";

export interface CalendarDay {
  on: string;
  /** Monday is 0. */
  weekday: number;
  week: number;
  mark: DayResult;
}

const marks: Partial<Record<RunStatus, DayResult>> = {
  cleared: "cleared",
  died: "died",
  playing: "playing",
};
const bestFirst: readonly DayResult[] = ["cleared", "died", "other", "playing"];

/** The best result of a day, which has one attempt for each ruleset. */
function markOf(days: readonly YearDay[]): DayResult {
  const found = days.map((day) => marks[day.status] ?? "other");
  return bestFirst.find((mark) => found.includes(mark)) ?? "none";
}

/** The days of the months `first` to `last` (1 to 12); `today` is a UTC date. */
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

/** The months of a calendar, each with the week it starts in. */
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
