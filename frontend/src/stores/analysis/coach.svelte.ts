/**
 * The coach of a practice run: hints, chance, best line, undo and the cards left.
 *
 * Everything it shows holds for one position; after the next move it is asked anew.
 */
import { analysisApi, type Coach, type Hint } from "../../api/analysis";
import { runsApi, type Run } from "../../api/runs";
import { queueText } from "../../copy/analysis";
import { lineText } from "../../copy/coach";
import { errorMessage } from "../../copy/errors";
import { Problem } from "../../logic/problem";
import type { TableStore } from "../runs/table.svelte";

const POLL_MS = 500;
const MAX_POLLS = 120;
export const MAX_LEVEL = 3;

interface Job {
  status: string;
  queue_position: number | null;
}

export class CoachStore {
  busy = $state(false);
  /** How long the analysis waits; empty if it does not. */
  waiting = $state("");
  errorText = $state("");
  #hint = $state.raw<Hint | null>(null);
  #chance = $state.raw<Hint | null>(null);
  #line = $state.raw<{ index: number; text: string; moves: string[] } | null>(null);
  #left = $state.raw<Coach | null>(null);
  #closed = false;
  readonly #table: TableStore;

  constructor(table: TableStore) {
    this.#table = table;
  }

  get #index(): number {
    return this.#table.run?.index ?? -1;
  }

  /** The hint for the present position; null if none was asked for. */
  get hint(): Hint | null {
    return this.#hint?.index === this.#index ? this.#hint : null;
  }

  get chance(): Hint | null {
    return this.#chance?.index === this.#index ? this.#chance : null;
  }

  get line(): string {
    return this.#line?.index === this.#index ? this.#line.text : "";
  }

  get left(): Coach | null {
    return this.#left?.index === this.#index ? this.#left : null;
  }

  /** The moves that the table should mark: the line's, or the hint's card or move. */
  get advised(): string[] {
    if (this.#line?.index === this.#index) return this.#line.moves.slice(0, 1);
    const { hint } = this;
    if (hint?.plan) return hint.plan.slice(0, 1);
    if (hint?.card === undefined) return [];
    return [hint.card ?? "avoid"];
  }

  async load(): Promise<void> {
    await this.#ask(async (run) => {
      this.#left = await analysisApi.coach(run.id);
    });
  }

  /** Asks for the next level of the hint. */
  async nextHint(): Promise<void> {
    const level = Math.min(MAX_LEVEL, (this.hint?.level ?? 0) + 1);
    await this.#ask(async (run) => {
      this.#hint = await this.#poll(() => analysisApi.hint(run.id, level));
      this.#markCoached();
    });
  }

  async askChance(): Promise<void> {
    await this.#ask(async (run) => {
      this.#chance = await this.#poll(() => analysisApi.hint(run.id, 0));
      this.#markCoached();
    });
  }

  async solve(): Promise<void> {
    await this.#ask(async (run) => {
      const { index } = run;
      const found = await this.#poll(() =>
        analysisApi.solve(run.id, { index, moves: [] }),
      );
      if (!found) return;
      const moves = found.line ?? [];
      const text = lineText(found.best ?? 0, found.proven ?? false, moves);
      this.#line = { index, text, moves };
      this.#markCoached();
    });
  }

  /** Undoes the last move; whether it was undone. */
  async undo(): Promise<boolean> {
    let done = false;
    await this.#ask(async (run) => {
      try {
        this.#table.replace(await runsApi.undo(run.id, run.index));
        done = true;
      } catch (error) {
        // The answer of an earlier try was lost, or another tab was faster.
        const known = error instanceof Problem ? error.body.run : undefined;
        if (!known) throw error;
        this.#table.replace(known as Run);
      }
    });
    return done;
  }

  close(): void {
    this.#closed = true;
  }

  async #ask(request: (run: Run) => Promise<void>): Promise<void> {
    const { run } = this.#table;
    if (!run || this.busy) return;
    this.busy = true;
    this.errorText = "";
    try {
      await request(run);
    } catch (error) {
      this.errorText = errorMessage(error);
    } finally {
      this.busy = false;
      this.waiting = "";
    }
  }

  /** Repeats a request until its analysis is done; null if that takes too long. */
  async #poll<T extends Job>(request: () => Promise<T>): Promise<T | null> {
    for (let polls = 0; polls < MAX_POLLS && !this.#closed; polls += 1) {
      const found = await request();
      if (found.status === "done") return found;
      if (found.status === "failed") break;
      this.waiting =
        found.status === "queued" ? queueText(found.queue_position) : "Computing …";
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (!this.#closed) this.errorText = "No answer was found in time. Try again.";
    return null;
  }

  #markCoached(): void {
    const { run } = this.#table;
    if (run && !run.coached) this.#table.run = { ...run, coached: true };
  }
}
