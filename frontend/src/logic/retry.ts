/** Exponential backoff with a cap and jitter. */

export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/** The delay in milliseconds before retry number `attempt`, counted from 1. */
export function backoffMs(
  attempt: number,
  { firstMs, mostMs }: Backoff,
  chance: () => number = Math.random,
): number {
  const full = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.6 + 0.4 * chance()));
}
