/** Computes rooms from the number of faced cards. */
import type { Entrant } from "../api/races";

export const ROOMS = 15;

/** The room (1 to 15) after `depth` faced cards. */
export function roomAt(depth: number): number {
  return Math.min(ROOMS, Math.floor(depth / 3) + 1);
}

/** The room of an entrant; after a death the room of the last card. */
export function roomOf({ state, depth }: Pick<Entrant, "state" | "depth">): number {
  return state === "died" ? roomAt(Math.max(0, depth - 1)) : roomAt(depth);
}

/** The progress of an entrant through the dungeon, from 0 to 1. */
export function progressOf(entrant: Pick<Entrant, "state" | "depth">): number {
  const room = roomOf(entrant);
  const faced = Math.min(3, entrant.depth - (room - 1) * 3);
  return (room - 0.75 + faced / 6) / ROOMS;
}
