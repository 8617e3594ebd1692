/** A replay, step by step: step 0 is the deal, step n the table after n moves. */
import type { Replay, Table } from "../../api/runs";
import { effectLines, type Line } from "../../copy/story";
import { arrangeSlots, type Slots } from "../../logic/slots";

const STEP_MS = 950;

/** The slots of the cards at every step; gaps are kept within a room. */
export function slotsPerStep(replay: Replay): Slots[] {
  const all: Slots[] = [arrangeSlots(replay.start.room, null)];
  for (const move of replay.moves) {
    const dealt = move.effects.some((effect) => effect.kind === "dealt");
    all.push(arrangeSlots(move.after.room, dealt ? null : (all.at(-1) ?? null)));
  }
  return all;
}

export class Playback {
  step = $state(0);
  playing = $state(false);
  readonly replay: Replay;
  readonly #slots: Slots[];
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(replay: Replay) {
    this.replay = replay;
    this.#slots = slotsPerStep(replay);
  }

  get last(): number {
    return this.replay.moves.length;
  }

  get table(): Table {
    return this.replay.moves[this.step - 1]?.after ?? this.replay.start;
  }

  get slots(): Slots {
    return this.#slots[this.step] ?? [];
  }

  /** The next move; null at the end. */
  get next(): string | null {
    return this.replay.moves[this.step]?.move ?? null;
  }

  get lines(): Line[] {
    const move = this.replay.moves[this.step - 1];
    return move
      ? effectLines(move.effects)
      : [{ text: "The first room is dealt.", tone: "plain" }];
  }

  go(step: number): void {
    this.step = Math.max(0, Math.min(this.last, step));
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.step === this.last) this.step = 0;
    this.playing = true;
    this.#timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step === this.last) this.pause();
    }, STEP_MS);
  }

  pause(): void {
    this.playing = false;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
