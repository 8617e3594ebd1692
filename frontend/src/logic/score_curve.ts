/** Computes the distribution of scores and the ticks of its axis. */
import type { CurvePoint } from "../api/boards";

export interface Step {
  score: number;
  players: number;
  /** The percentage of players at or below this score. */
  share: number;
}

/** The steps of the distribution, lowest score first. */
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

/** Three to six round numbers between `low` and `high`. */
export function axisTicks(low: number, high: number): number[] {
  const span = Math.max(1, high - low);
  const step =
    [1, 2, 5, 10, 20, 25, 50, 100, 200].find((one) => span / one <= 5) ?? 500;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) marks.push(at);
  return marks;
}
