/** When a race releases a seat, and when it can be closed early. */
import type { Entrant, Race } from "../api/races";

/**
 * The milliseconds after which the seat of an entrant who is not ready is released;
 * null if it is not.
 */
export function seatReleaseMs(
  race: Race,
  entrant: Entrant,
  now: number,
): number | null {
  const { full_since, seat_release_ms } = race;
  if (race.phase !== "open" || full_since === null || seat_release_ms === null)
    return null;
  if (entrant.unready_since === null) return null;
  const since = Math.max(Date.parse(full_since), Date.parse(entrant.unready_since));
  return Math.max(0, since + seat_release_ms - now);
}

export interface EarlyClose {
  /** Who still races, and is away. */
  away: readonly string[];
  /** After how many milliseconds the race can be closed. */
  inMs: number;
}

/** Whether this player has played to the end while others still race for a score. */
export function mayCloseLater(race: Race): boolean {
  const own = race.entrants.find((one) => one.seat === race.you.seat);
  const hasFinished = own?.state === "cleared" || own?.state === "died";
  const isGoingOn = race.entrants.some((one) => one.state === "racing");
  const isPossible = race.phase === "running" && race.early_close_ms !== null;
  return hasFinished && isGoingOn && isPossible;
}

/** When this player can close the race; null if somebody who still races is here. */
export function earlyClose(race: Race, now: number): EarlyClose | null {
  if (!mayCloseLater(race)) return null;
  const still = race.entrants.filter((one) => one.state === "racing");
  const times = still.map((one) => Date.parse(one.away_since ?? ""));
  const since = Math.max(Date.parse(race.starts_at ?? ""), ...times);
  if (Number.isNaN(since)) return null;
  const inMs = Math.max(0, since + (race.early_close_ms ?? 0) - now);
  return { away: still.map((one) => one.player), inMs };
}
