/** One daily: refreshed while its page is open, started, continued and practised. */
import { dailiesApi, type Daily } from "../../api/dailies";
import { Problem } from "../../logic/problem";
import { errorMessage } from "../../copy/errors";
import { dailyRefusal } from "../../copy/dailies";
import { serverTime } from "../core/server_time.svelte";
import { session } from "../accounts/session.svelte";

const OPEN_MS = 45_000;
const MIN_MS = 5_000;
/** Browser timers are limited to 2^31 ms; nothing here needs that long. */
const MAX_MS = 60 * 60_000;

/** Milliseconds until the daily should be reloaded; null if never. */
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
  /** Why the daily could not be loaded. */
  loadError = $state("");
  missing = $state(false);
  busy = $state(false);
  /** Why a run could not be started. */
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

  /** Loads the daily for a ruleset and keeps it up to date. */
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

  /** Starts or continues the attempt; returns the run's id, null if refused. */
  begin(): Promise<string | null> {
    return this.#startRun(() => dailiesApi.startAttempt(this.#date, this.#ruleset));
  }

  /** Starts a practice run on the same deck; returns its id, null if refused. */
  practice(): Promise<string | null> {
    return this.#startRun(() => dailiesApi.startPractice(this.#date, this.#ruleset));
  }

  /** The date of the shown daily, also if "today" was requested. */
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
    // The page is hidden: check again later.
    if (document.visibilityState === "hidden") {
      this.#timer = setTimeout(() => void this.#refresh(), MIN_MS);
      return;
    }
    await this.#load();
  }
}
