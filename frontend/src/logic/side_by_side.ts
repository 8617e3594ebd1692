/** Compares replays of the same dungeon by the number of faced cards. */
import type { Replay, ReplayMove, Table } from "../api/runs";
import { cardOfMove } from "./cards";

/** The number of faced cards after each move; avoiding faces none. */
export function depthsOf(replay: Replay): number[] {
  let depth = 0;
  return replay.moves.map(({ move }) => (cardOfMove(move) === null ? depth : ++depth));
}

/** The last move after which at most `depth` cards had been faced; undefined before any. */
export function lastMoveAt(replay: Replay, depth: number): ReplayMove | undefined {
  return replay.moves[depthsOf(replay).findLastIndex((one) => one <= depth)];
}

/** The table after `depth` faced cards, or at the end of a shorter run. */
export function tableAt(replay: Replay, depth: number): Table {
  return lastMoveAt(replay, depth)?.after ?? replay.start;
}

/** The number of faced cards before two runs differ; null if they are the same. */
export function firstDifference(one: Replay, other: Replay): number | null {
  const depths = depthsOf(one);
  const parting = one.moves.findIndex(({ move }, i) => other.moves[i]?.move !== move);
  if (parting >= 0) return depths[parting - 1] ?? 0;
  return one.moves.length < other.moves.length ? (depths.at(-1) ?? 0) : null;
}
