/** The server's time for countdowns. It ticks while a component watches it. */
import { ServerClock } from "../../logic/server_clock";
import { dailiesApi } from "../../api/dailies";

const TICK_MS = 1_000;
const SYNC_MS = 10 * 60_000;

class ServerTime {
  /** The server's time in milliseconds, as of the last tick. */
  now = $state(Date.now());
  readonly #clock = new ServerClock(() => Date.now());
  #watchers = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #requestedAt = -Infinity;

  /** Starts ticking; returns a function that stops it. */
  watch(): () => void {
    this.#watchers += 1;
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
    let done = false;
    return () => {
      if (done) return;
      done = true;
      this.#watchers -= 1;
      if (this.#watchers > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** The server's time now, independent of the ticks. */
  get time(): number {
    return this.#clock.now();
  }

  until(instant: string): number {
    return Date.parse(instant) - this.now;
  }

  #tick(): void {
    this.now = this.#clock.now();
    if (Date.now() - this.#requestedAt >= SYNC_MS) void this.#sync();
  }

  async #sync(): Promise<void> {
    this.#requestedAt = Date.now();
    const sent = Date.now();
    try {
      this.#clock.recordPong(sent, Date.parse(await dailiesApi.time()));
      this.now = this.#clock.now();
    } catch {
      // Keep the local estimate until the next sync.
    }
  }
}

export const serverTime = new ServerTime();
