/** Waiting times between tries: doubling, capped, and spread so that nobody queues. */

export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/** How long to wait before try number `attempt` (1 for the first retry). */
export function backoffMs(
  attempt: number,
  { firstMs, mostMs }: Backoff,
  chance: () => number = Math.random,
): number {
  const full = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.6 + 0.4 * chance()));
}
