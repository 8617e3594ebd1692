/** One daily: looked after while its page is open, begun, gone on with, practised. */
import { dailiesApi, type Daily } from "../../api/dailies";
import { Problem } from "../../logic/problem";
import { errorMessage } from "../../copy/errors";
import { dailyRefusal } from "../../copy/dailies";
import { serverTime } from "../core/server_time.svelte";
import { session } from "../accounts/session.svelte";

const OPEN_MS = 45_000;
const MIN_MS = 5_000;
/** Timers of browsers end at 2^31 ms; nothing here needs that long. */
const MAX_MS = 60 * 60_000;

/** How long until the day is worth asking for again; null if never. */
export function refreshDelayMs(daily: Daily, now: number): number | null {
  const until = (instant: string) => Date.parse(instant) - now;
  const within = (ms: number, most: number) => Math.min(most, Math.max(MIN_MS, ms));
  switch (daily.phase) {
    case "open":
      return within(until(daily.closes_at) + 1_000, OPEN_MS);
    case "closed":
      return within(until(daily.settles_at) + 1_000, OPEN_MS);
    case "ahead":
      return within(until(daily.opens_at) + 1_000, MAX_MS);
    default:
      return null;
  }
}

export class DailyStore {
  daily = $state.raw<Daily | null>(null);
  /** Why there is nothing to show. */
  loadError = $state("");
  missing = $state(false);
  busy = $state(false);
  /** Why what was asked for did not happen. */
  errorText = $state("");
  readonly #on: string;
  #ruleset = $state("");
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  /** `on` is a date or "today". */
  constructor(on: string, ruleset: string) {
    this.#on = on;
    this.#ruleset = ruleset;
  }

  get ruleset(): string {
    return this.#ruleset;
  }

  /** Asks for the day, under other rules too, and looks after it from then on. */
  async open(ruleset = this.#ruleset): Promise<void> {
    if (ruleset !== this.#ruleset) this.errorText = "";
    this.#ruleset = ruleset;
    await session.find().catch(() => null);
    await this.#load();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Begins the one attempt, or goes on with it: the run's id; null if refused. */
  begin(): Promise<string | null> {
    return this.#startRun(() => dailiesApi.startAttempt(this.#date, this.#ruleset));
  }

  /** A practice run on the same deck: its id; null if refused. */
  practice(): Promise<string | null> {
    return this.#startRun(() => dailiesApi.startPractice(this.#date, this.#ruleset));
  }

  /** The date that is shown, also where "today" was asked for. */
  get #date(): string {
    return this.daily?.date ?? this.#on;
  }

  async #startRun(ask: () => Promise<{ id: string }>): Promise<string | null> {
    if (this.busy) return null;
    this.busy = true;
    this.errorText = "";
    try {
      await session.ensure();
      return (await ask()).id;
    } catch (error) {
      const known = error instanceof Problem ? dailyRefusal(error.code) : null;
      this.errorText = known ?? errorMessage(error);
      if (known) void this.#load();
      return null;
    } finally {
      this.busy = false;
    }
  }

  async #load(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    const ruleset = this.#ruleset;
    let delayMs: number | null = OPEN_MS;
    try {
      const found = await dailiesApi.daily(this.#on, ruleset);
      if (ruleset !== this.#ruleset) return;
      this.daily = found;
      this.loadError = "";
      this.missing = false;
      delayMs = refreshDelayMs(found, serverTime.time);
    } catch (error) {
      if (ruleset !== this.#ruleset) return;
      this.missing = error instanceof Problem && error.status === 404;
      if (this.missing) this.daily = null;
      if (this.missing) delayMs = null;
      this.loadError = this.missing ? "" : errorMessage(error);
    }
    if (delayMs === null || this.#closed) return;
    this.#timer = setTimeout(() => void this.#refresh(), delayMs);
  }

  async #refresh(): Promise<void> {
    // Nobody looks: look again when somebody may.
    if (document.visibilityState === "hidden") {
      this.#timer = setTimeout(() => void this.#refresh(), MIN_MS);
      return;
    }
    await this.#load();
  }
}
