/** Exponential backoff with a cap and jitter. */

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** The delay in milliseconds before retry number `attempt`, counted from 1. */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs }: Backoff,
  chance: () => number = Math.random,
): number {
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.6 + 0.4 * chance()));
}
