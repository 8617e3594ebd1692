/** Replays of one dungeon laid beside each other, by how many cards had been faced. */
import type { Replay, ReplayMove, Table } from "../api/runs";
import { cardOfMove } from "./cards";

/** How many cards had been faced after each move; avoiding faces none. */
export function depthsOf(replay: Replay): number[] {
  let depth = 0;
  return replay.moves.map(({ move }) => (cardOfMove(move) === null ? depth : ++depth));
}

/** The last move after which at most `depth` cards had been faced; undefined before any. */
export function lastMoveAt(replay: Replay, depth: number): ReplayMove | undefined {
  return replay.moves[depthsOf(replay).findLastIndex((one) => one <= depth)];
}

/** The table once so many cards had been faced, or at the end if it came before. */
export function tableAt(replay: Replay, depth: number): Table {
  return lastMoveAt(replay, depth)?.after ?? replay.start;
}

/** After how many cards two runs part ways; null if they never do. */
export function firstDifference(one: Replay, other: Replay): number | null {
  const depths = depthsOf(one);
  const parting = one.moves.findIndex(({ move }, i) => other.moves[i]?.move !== move);
  if (parting >= 0) return depths[parting - 1] ?? 0;
  return one.moves.length < other.moves.length ? (depths.at(-1) ?? 0) : null;
}
