/** What the server remembers of a run that this page did not see end. */
import { api } from "../net/api";
import type { Effect } from "../net/shapes";

/** What its last move did; nothing where that cannot be had, and is then not told. */
export async function lastEffects(run: string): Promise<readonly Effect[]> {
  try {
    return (await api.replay(run)).moves.at(-1)?.effects ?? [];
  } catch {
    return [];
  }
}
