/**
 * Estimates the server's time.
 *
 * A ping answered after `r` ms gives the server's time to within r / 2, so the fastest
 * of the last few is used. Until one is answered, the time in the welcome message is
 * used; it is late by the network delay.
 */
const KEPT = 8;

interface Sample {
  offsetMs: number;
  roundTripMs: number;
}

export class ServerClock {
  #samples: Sample[] = [];
  #welcomeOffsetMs: number | null = null;
  readonly #local: () => number;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** Records the server's time (RFC 3339) of a welcome message. */
  recordWelcome(serverTime: string): void {
    const at = Date.parse(serverTime);
    if (Number.isFinite(at)) this.#welcomeOffsetMs = at - this.#local();
  }

  /** Records a ping sent at local time `t0` and answered at server time `t1`. */
  recordPong(t0: number, t1: number): void {
    const now = this.#local();
    const roundTripMs = now - t0;
    if (roundTripMs < 0 || !Number.isFinite(t1)) return;
    this.#samples.push({ offsetMs: t1 - (t0 + now) / 2, roundTripMs });
    if (this.#samples.length > KEPT) this.#samples.shift();
  }

  /** Server time minus local time, in milliseconds. */
  get offsetMs(): number {
    const best = this.#samples.reduce<Sample | null>(
      (least, one) => (least && least.roundTripMs <= one.roundTripMs ? least : one),
      null,
    );
    return best?.offsetMs ?? this.#welcomeOffsetMs ?? 0;
  }

  now(): number {
    return this.#local() + this.offsetMs;
  }

  /** Milliseconds until an instant of the server; negative once it has passed. */
  until(instant: string): number {
    return Date.parse(instant) - this.now();
  }
}
