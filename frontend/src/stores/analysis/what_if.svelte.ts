/**
 * Playing on from a position of a replay: unranked, and kept nowhere but here.
 *
 * `plan` is a line that was suggested, from the same position; as long as what is
 * played follows it, its next move is known.
 */
import { errorMessage } from "../../copy/errors";
import { analysisApi, type Observation } from "../../api/analysis";
import { effectLines, type Line } from "../../copy/story";
import { arrangeSlots, type Slots } from "../../logic/slots";

const POLL_MS = 800;
const MAX_POLLS = 40;

export class WhatIf {
  readonly run: string;
  readonly index: number;
  moves = $state.raw<string[]>([]);
  suggestedLine = $state.raw<string[]>([]);
  observation = $state.raw<Observation | null>(null);
  slots = $state.raw<Slots>([]);
  lines = $state.raw<Line[]>([]);
  /** What the solver found from where one stood. */
  solution = $state.raw<{ best: number; proven: boolean } | null>(null);
  busy = $state(false);
  solving = $state(false);
  loadError = $state("");
  #closed = false;

  constructor(run: string, index: number, suggestedLine: readonly string[] = []) {
    this.run = run;
    this.index = index;
    this.suggestedLine = [...suggestedLine];
  }

  /** The next move of the suggested line; null off the line, and at its end. */
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

  /** The best line from here, as a worker finds it within seconds. */
  async solve(): Promise<void> {
    if (this.solving) return;
    this.solving = true;
    this.loadError = "";
    const { index, moves } = this;
    try {
      for (let asked = 0; asked < MAX_POLLS && !this.#closed; asked += 1) {
        const found = await analysisApi.solve(this.run, { index, moves });
        if (found.status === "done") return this.#setSolution(moves, found);
        if (found.status === "failed") break;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      this.loadError = "No solution was found in time. Try again.";
    } catch (error) {
      this.loadError = errorMessage(error);
    } finally {
      this.solving = false;
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
