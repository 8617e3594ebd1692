/** The points of a curve of scores, and the numbers on its axes. */
import type { CurvePoint } from "../api/boards";

export interface Step {
  score: number;
  players: number;
  /** How many of all, in percent, came to this score or less. */
  share: number;
}

/** The curve of a day's scores, lowest first: who did no better, at each score. */
export function curveSteps(curve: readonly CurvePoint[]): Step[] {
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
export function axisTicks(low: number, high: number): number[] {
  const span = Math.max(1, high - low);
  const step =
    [1, 2, 5, 10, 20, 25, 50, 100, 200].find((one) => span / one <= 5) ?? 500;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) marks.push(at);
  return marks;
}
