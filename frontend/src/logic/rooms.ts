/** Which of the fifteen rooms a number of faced cards leads to. */
import type { Entrant } from "../api/races";

export const ROOMS = 15;

/** Behind which door somebody stands who has faced so many cards. */
export function roomAt(depth: number): number {
  return Math.min(ROOMS, Math.floor(depth / 3) + 1);
}

/** The door of an entrant: who died fell in the room of his last card. */
export function roomOf({ state, depth }: Pick<Entrant, "state" | "depth">): number {
  return state === "died" ? roomAt(Math.max(0, depth - 1)) : roomAt(depth);
}

/** How far along the corridor that is, from 0 to 1: before a door, by room and card. */
export function progressOf(entrant: Pick<Entrant, "state" | "depth">): number {
  const room = roomOf(entrant);
  const faced = Math.min(3, entrant.depth - (room - 1) * 3);
  return (room - 0.75 + faced / 6) / ROOMS;
}
