/**
 * Plays on from a position of a replay: unranked and not saved.
 *
 * `suggestedLine` is a line of moves from the same position; while the game follows it,
 * `next` is its next move.
 */
import { errorMessage } from "../../copy/errors";
import { analysisApi, type Observation } from "../../api/analysis";
import { effectLines, type Line } from "../../copy/story";
import { arrangeSlots, type Slots } from "../../logic/slots";

const POLL_MS = 800;
// Often enough for a queue, and within the server's limit of requests.
const QUEUED_POLL_MS = 3_000;
const MAX_POLLS = 40;

export class WhatIf {
  readonly run: string;
  readonly index: number;
  moves = $state.raw<string[]>([]);
  suggestedLine = $state.raw<string[]>([]);
  observation = $state.raw<Observation | null>(null);
  slots = $state.raw<Slots>([]);
  lines = $state.raw<Line[]>([]);
  /** The result of the solver. */
  solution = $state.raw<{ best: number; proven: boolean } | null>(null);
  busy = $state(false);
  solving = $state(false);
  /** The place in the queue while the search waits; null otherwise. */
  queuePosition = $state<number | null>(null);
  loadError = $state("");
  #closed = false;

  constructor(run: string, index: number, suggestedLine: readonly string[] = []) {
    this.run = run;
    this.index = index;
    this.suggestedLine = [...suggestedLine];
  }

  /** The next move of the suggested line; null off the line and at its end. */
  get next(): string | null {
    const follows = this.moves.every((move, i) => move === this.suggestedLine[i]);
    return follows ? (this.suggestedLine[this.moves.length] ?? null) : null;
  }

  get over(): boolean {
    return this.observation !== null && this.observation.status !== "playing";
  }

  start(): Promise<void> {
    return this.#show([]);
  }

  play(move: string): Promise<void> {
    return this.#show([...this.moves, move]);
  }

  takeBack(): Promise<void> {
    return this.#show(this.moves.slice(0, -1));
  }

  /** Requests the best line from here and polls until it is found. */
  async solve(): Promise<void> {
    if (this.solving) return;
    this.solving = true;
    this.loadError = "";
    const { index, moves } = this;
    try {
      let polls = 0;
      while (polls < MAX_POLLS && !this.#closed) {
        const found = await analysisApi.solve(this.run, { index, moves });
        this.queuePosition = found.queue_position;
        if (found.status === "done") return this.#setSolution(moves, found);
        if (found.status === "failed") break;
        // Waiting for others takes as long as it takes; the search itself does not.
        if (found.status === "running") polls += 1;
        const delayMs = found.status === "queued" ? QUEUED_POLL_MS : POLL_MS;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
      this.loadError = "No solution was found in time. Try again.";
    } catch (error) {
      this.loadError = errorMessage(error);
    } finally {
      this.solving = false;
      this.queuePosition = null;
    }
  }

  close(): void {
    this.#closed = true;
  }

  #setSolution(
    moves: string[],
    found: { line?: string[]; best?: number; proven?: boolean },
  ): void {
    this.suggestedLine = [...moves, ...(found.line ?? [])];
    this.solution = { best: found.best ?? 0, proven: found.proven ?? false };
  }

  async #show(moves: string[]): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const isNext = moves.length === this.moves.length + 1;
    try {
      const answer = await analysisApi.whatIf(this.run, { index: this.index, moves });
      const dealt = answer.effects.some((effect) => effect.kind === "dealt");
      const before = isNext && !dealt ? this.slots : null;
      this.slots = arrangeSlots(answer.observation.room, before);
      this.moves = moves;
      this.observation = answer.observation;
      this.lines = effectLines(answer.effects);
      this.loadError = "";
    } catch (error) {
      this.loadError = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }
}
