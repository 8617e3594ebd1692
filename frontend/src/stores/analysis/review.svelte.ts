/** A run's review: asked for once, then looked after until a worker has made it. */
import { sentence } from "../../copy/errors";
import { Unreachable } from "../../logic/problem";
import {
  analysisApi,
  type MoveReview,
  type Review,
  type Study,
} from "../../api/analysis";

const FIRST_MS = 700;
const MOST_MS = 3_000;

export class ReviewStore {
  study = $state.raw<Study | null>(null);
  trouble = $state("");
  readonly #run: string;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #wait = FIRST_MS;
  #closed = false;

  constructor(run: string) {
    this.#run = run;
  }

  /** The review, once it is there. */
  get done(): Review | null {
    const { study } = this;
    return study?.status === "done" && study.moves ? (study as Review) : null;
  }

  get waiting(): boolean {
    const status = this.study?.status;
    return status === "queued" || status === "running";
  }

  /** What is said of the move played from a position; null before the review. */
  at(index: number): MoveReview | null {
    return this.done?.moves[index] ?? null;
  }

  /** Whether somebody has asked already. */
  async look(): Promise<void> {
    await this.#hear(analysisApi.review(this.#run));
  }

  async ask(): Promise<void> {
    this.#wait = FIRST_MS;
    await this.#hear(analysisApi.ask(this.#run));
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #hear(asked: Promise<Study>): Promise<void> {
    try {
      this.study = await asked;
      this.trouble = "";
    } catch (error) {
      this.trouble = sentence(error);
      // The connection may come back; a refusal stays one.
      if (!(error instanceof Unreachable)) return;
    }
    if (!this.waiting || this.#closed) return;
    this.#timer = setTimeout(() => void this.look(), this.#wait);
    this.#wait = Math.min(MOST_MS, this.#wait * 1.3);
  }
}
