/**
 * Playing on from a position of a replay: unranked, and kept nowhere but here.
 *
 * `plan` is a line that was suggested, from the same position; as long as what is
 * played follows it, its next move is known.
 */
import { sentence } from "../../copy/errors";
import { analysisApi, type Observation } from "../../api/analysis";
import { tellAll, type Line } from "../../copy/story";
import { layOut, type Slots } from "../../logic/slots";

const ASK_AGAIN_MS = 800;
const MOST_ASKED = 40;

export class WhatIf {
  readonly run: string;
  readonly index: number;
  moves = $state.raw<string[]>([]);
  plan = $state.raw<string[]>([]);
  seen = $state.raw<Observation | null>(null);
  slots = $state.raw<Slots>([]);
  told = $state.raw<Line[]>([]);
  /** What the solver found from where one stood. */
  solved = $state.raw<{ best: number; proven: boolean } | null>(null);
  busy = $state(false);
  solving = $state(false);
  trouble = $state("");
  #closed = false;

  constructor(run: string, index: number, plan: readonly string[] = []) {
    this.run = run;
    this.index = index;
    this.plan = [...plan];
  }

  /** The next move of the suggested line; null off the line, and at its end. */
  get next(): string | null {
    const follows = this.moves.every((move, i) => move === this.plan[i]);
    return follows ? (this.plan[this.moves.length] ?? null) : null;
  }

  get over(): boolean {
    return this.seen !== null && this.seen.status !== "playing";
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
    this.trouble = "";
    const { index, moves } = this;
    try {
      for (let asked = 0; asked < MOST_ASKED && !this.#closed; asked += 1) {
        const found = await analysisApi.solve(this.run, { index, moves });
        if (found.status === "done") return this.#solved(moves, found);
        if (found.status === "failed") break;
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
      this.trouble = "No answer this time. Try again.";
    } catch (error) {
      this.trouble = sentence(error);
    } finally {
      this.solving = false;
    }
  }

  close(): void {
    this.#closed = true;
  }

  #solved(
    moves: string[],
    found: { line?: string[]; best?: number; proven?: boolean },
  ): void {
    this.plan = [...moves, ...(found.line ?? [])];
    this.solved = { best: found.best ?? 0, proven: found.proven ?? false };
  }

  async #show(moves: string[]): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const isNext = moves.length === this.moves.length + 1;
    try {
      const answer = await analysisApi.whatIf(this.run, { index: this.index, moves });
      const dealt = answer.effects.some((effect) => effect.kind === "dealt");
      const before = isNext && !dealt ? this.slots : null;
      this.slots = layOut(answer.observation.room, before);
      this.moves = moves;
      this.seen = answer.observation;
      this.told = tellAll(answer.effects);
      this.trouble = "";
    } catch (error) {
      this.trouble = sentence(error);
    } finally {
      this.busy = false;
    }
  }
}
