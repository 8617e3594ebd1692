/**
 * The server's time, as well as it can be told from here.
 *
 * A ping that came back after `r` ms shows the server's time to within r / 2, so the
 * fastest of the last few is believed. Until one has come back, the time in a greeting
 * is: it is late by the way here, which is better than a wrong clock.
 */
const KEPT = 8;

interface Sample {
  offsetMs: number;
  roundTripMs: number;
}

export class ServerClock {
  #samples: Sample[] = [];
  #greeting: number | null = null;
  readonly #local: () => number;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** A greeting that said the server's time (RFC 3339). */
  greeted(serverTime: string): void {
    const at = Date.parse(serverTime);
    if (Number.isFinite(at)) this.#greeting = at - this.#local();
  }

  /** A ping sent at `t0` (ours) that the server answered at `t1` (its own). */
  answered(t0: number, t1: number): void {
    const now = this.#local();
    const roundTripMs = now - t0;
    if (roundTripMs < 0 || !Number.isFinite(t1)) return;
    this.#samples.push({ offsetMs: t1 - (t0 + now) / 2, roundTripMs });
    if (this.#samples.length > KEPT) this.#samples.shift();
  }

  /** What to add to our time to have the server's. */
  get offsetMs(): number {
    const best = this.#samples.reduce<Sample | null>(
      (least, one) => (least && least.roundTripMs <= one.roundTripMs ? least : one),
      null,
    );
    return best?.offsetMs ?? this.#greeting ?? 0;
  }

  now(): number {
    return this.#local() + this.offsetMs;
  }

  /** How long until that instant of the server's; negative once it is past. */
  until(instant: string): number {
    return Date.parse(instant) - this.now();
  }
}
