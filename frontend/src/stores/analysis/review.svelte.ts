/** The review of a run: requested once, then polled until it is done. */
import { errorMessage } from "../../copy/errors";
import { Unreachable } from "../../logic/problem";
import {
  analysisApi,
  type MoveReview,
  type Review,
  type ReviewState,
} from "../../api/analysis";

const FIRST_MS = 700;
const MAX_MS = 3_000;

export class ReviewStore {
  state = $state.raw<ReviewState | null>(null);
  loadError = $state("");
  readonly #run: string;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #delayMs = FIRST_MS;
  #closed = false;

  constructor(run: string) {
    this.#run = run;
  }

  /** The finished review; null until then. */
  get done(): Review | null {
    const { state } = this;
    return state?.status === "done" && state.moves ? (state as Review) : null;
  }

  get waiting(): boolean {
    const status = this.state?.status;
    return status === "queued" || status === "running";
  }

  /** The review of the move with that index; null before the review is done. */
  at(index: number): MoveReview | null {
    return this.done?.moves[index] ?? null;
  }

  /** Loads the state, in case the review was requested before. */
  async refresh(): Promise<void> {
    await this.#load(analysisApi.review(this.#run));
  }

  async request(): Promise<void> {
    this.#delayMs = FIRST_MS;
    await this.#load(analysisApi.requestReview(this.#run));
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #load(asked: Promise<ReviewState>): Promise<void> {
    try {
      this.state = await asked;
      this.loadError = "";
    } catch (error) {
      this.loadError = errorMessage(error);
      // Connection failures are retried; refusals are not.
      if (!(error instanceof Unreachable)) return;
    }
    if (!this.waiting || this.#closed) return;
    this.#timer = setTimeout(() => void this.refresh(), this.#delayMs);
    this.#delayMs = Math.min(MAX_MS, this.#delayMs * 1.3);
  }
}
