/** Replays of one dungeon laid beside each other, by how many cards had been faced. */
import type { Replay, Table } from "../net/shapes";
import { cardOfMove } from "../text/cards";
import { tellAll } from "../text/story";

/** How many cards had been faced after each move; avoiding faces none. */
export function depthsOf(replay: Replay): number[] {
  let depth = 0;
  return replay.moves.map(({ move }) => (cardOfMove(move) === null ? depth : ++depth));
}

/** The move after which `depth` cards had been faced: its place, -1 before any. */
function lastAt(replay: Replay, depth: number): number {
  return depthsOf(replay).findLastIndex((one) => one <= depth);
}

/** The table once so many cards had been faced, or at the end if it came before. */
export function tableAt(replay: Replay, depth: number): Table {
  return replay.moves[lastAt(replay, depth)]?.after ?? replay.start;
}

/** What the last of those moves did, in words. */
export function toldAt(replay: Replay, depth: number): string {
  const move = replay.moves[lastAt(replay, depth)];
  if (!move) return "The first room is dealt.";
  return tellAll(move.effects)
    .map((line) => line.text)
    .join(" ");
}

/** After how many cards two runs part ways; null if they never do. */
export function partingOf(one: Replay, other: Replay): number | null {
  const depths = depthsOf(one);
  const parting = one.moves.findIndex(({ move }, i) => other.moves[i]?.move !== move);
  if (parting >= 0) return depths[parting - 1] ?? 0;
  return one.moves.length < other.moves.length ? (depths.at(-1) ?? 0) : null;
}
