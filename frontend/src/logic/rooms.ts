/** Which of the fifteen rooms a number of faced cards leads to. */
import type { Entrant } from "../api/races";

export const DOORS = 15;

/** Behind which door somebody stands who has faced so many cards. */
export function doorAt(depth: number): number {
  return Math.min(DOORS, Math.floor(depth / 3) + 1);
}

/** The door of an entrant: who died fell in the room of his last card. */
export function doorOf({ state, depth }: Pick<Entrant, "state" | "depth">): number {
  return state === "died" ? doorAt(Math.max(0, depth - 1)) : doorAt(depth);
}

/** How far along the corridor that is, from 0 to 1: before a door, by room and card. */
export function wayGone(entrant: Pick<Entrant, "state" | "depth">): number {
  const door = doorOf(entrant);
  const faced = Math.min(3, entrant.depth - (door - 1) * 3);
  return (door - 0.75 + faced / 6) / DOORS;
}
