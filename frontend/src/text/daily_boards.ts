/** Boards in words and numbers: what a line shows, and what a curve is made of. */
import type { BoardKind, BoardValue, CurvePoint, Entry } from "../net/dailies";
import { dayShort } from "./daily";
import { duration, signed } from "./format";

/** What a line's value reads as. */
export function valueText(value: BoardValue, number: number): string {
  switch (value) {
    case "score":
      return signed(number);
    case "time_ms":
      return exactTime(number);
    case "days":
      return number === 1 ? "1 day" : `${number} days`;
    default:
      return String(number);
  }
}

/** "2:48.345": times that are ranked by the millisecond. */
export function exactTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return `${minutes}:${seconds}`;
}

const valueNames: Record<BoardValue, string> = {
  score: "Score",
  points: "Points",
  time_ms: "Time",
  days: "Days",
  rating: "Rating",
};
export const valueName = (value: BoardValue): string => valueNames[value];

/** What else there is to say of a line: how the run ended, how long it took. */
export function lineMore(value: BoardValue, entry: Entry): string {
  if (value !== "score" || entry.cleared === null) return "";
  const how = entry.cleared ? "Got out" : "Died";
  return entry.elapsed_ms === null ? how : `${how} · ${duration(entry.elapsed_ms)}`;
}

/** "Week 48 of 2026", "Season 5", "Sun 29 Nov 2026". */
export function spanName(over: BoardKind["over"], span: string): string {
  if (over === "season") return `Season ${span}`;
  const week = /^(\d{4})-W(\d{2})$/.exec(span);
  if (week) return `Week ${Number(week[2])} of ${week[1]}`;
  return over === "day" ? dayShort(span) : span;
}

export interface Step {
  score: number;
  players: number;
  /** How many of all, in percent, came to this score or less. */
  share: number;
}

/** The curve of a day's scores, lowest first: who did no better, at each score. */
export function stepsOf(curve: readonly CurvePoint[]): Step[] {
  const total = curve.reduce((sum, point) => sum + point.players, 0);
  let below = 0;
  return curve
    .toSorted((a, b) => a.score - b.score)
    .map(({ score, players }) => {
      below += players;
      return { score, players, share: (100 * below) / Math.max(1, total) };
    });
}

/** Round numbers that a scale from `low` to `high` is marked at: three to six. */
export function marksOf(low: number, high: number): number[] {
  const span = Math.max(1, high - low);
  const step =
    [1, 2, 5, 10, 20, 25, 50, 100, 200].find((one) => span / one <= 5) ?? 500;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) marks.push(at);
  return marks;
}
