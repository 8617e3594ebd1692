/** Texts of leaderboards. */
import type { BoardKind, BoardValue, Entry } from "../api/boards";
import { dayShort } from "./dailies";
import { duration, signed } from "./format";

/** The value of an entry as text. */
export function valueText(value: BoardValue, number: number): string {
  switch (value) {
    case "score":
      return signed(number);
    case "time_ms":
      return timeWithMs(number);
    case "days":
      return number === 1 ? "1 day" : `${number} days`;
    default:
      return String(number);
  }
}

/** "2:48.345": minutes, seconds and milliseconds. */
export function timeWithMs(ms: number): string {
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

/**
 * How the run of an entry ended and how long it took; "" where the board is not by
 * score.
 */
export function entryDetail(value: BoardValue, entry: Entry): string {
  if (value !== "score" || entry.cleared === null) return "";
  const how = entry.cleared ? "Cleared" : "Died";
  return entry.elapsed_ms === null ? how : `${how} · ${duration(entry.elapsed_ms)}`;
}

/** "Week 48 of 2026", "Season 5", "Sun 29 Nov 2026". */
export function periodName(over: BoardKind["over"], span: string): string {
  if (over === "season") return `Season ${span}`;
  const week = /^(\d{4})-W(\d{2})$/.exec(span);
  if (week) return `Week ${Number(week[2])} of ${week[1]}`;
  return over === "day" ? dayShort(span) : span;
}
