/** A worked example of the rules page, as the visitor plays it. */
import { learningApi, type Example, type ExamplePosition } from "../../api/learning";
import { errorMessage } from "../../copy/errors";
import { effectLines, type Line } from "../../copy/story";
import { arrangeSlots, type Slots } from "../../logic/slots";

const STEP_MS = 900;

export class ExampleGame {
  moves = $state.raw<readonly string[]>([]);
  ruleset = $state("");
  observation = $state.raw<ExamplePosition["observation"]>(null as never);
  slots = $state.raw<Slots>([]);
  lines = $state.raw<readonly Line[]>([]);
  /** Why the last press did nothing, or why the server did not answer. */
  message = $state("");
  busy = $state(false);
  readonly example: Example;
  readonly #startRuleset: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(example: Example, ruleset: string) {
    this.example = example;
    this.#startRuleset = ruleset;
    this.ruleset = ruleset;
    this.#toStart();
  }

  get over(): boolean {
    return this.observation.status !== "playing";
  }

  play(move: string): Promise<void> {
    clearTimeout(this.#timer);
    return this.#show([...this.moves, move]);
  }

  /** Plays a line from the start, move by move. */
  async playLine(moves: readonly string[]): Promise<void> {
    await this.startAgain();
    const step = async (count: number) => {
      await this.#show(moves.slice(0, count));
      if (count < moves.length && this.moves.length === count)
        this.#timer = setTimeout(() => void step(count + 1), STEP_MS);
    };
    await step(1);
  }

  async startAgain(ruleset = this.ruleset): Promise<void> {
    clearTimeout(this.#timer);
    this.ruleset = ruleset;
    // The start of another ruleset differs: a weapon may reach more there.
    if (ruleset === this.#startRuleset) this.#toStart();
    else await this.#show([]);
  }

  refuse(why: string): void {
    this.message = why;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #toStart(): void {
    this.moves = [];
    this.observation = this.example.start;
    this.slots = arrangeSlots(this.example.start.room, null);
    this.lines = [];
    this.message = "";
  }

  async #show(moves: readonly string[]): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const found = await learningApi.example(this.example.key, this.ruleset, [
        ...moves,
      ]);
      const isNext = moves.length > 0 && moves.length === this.moves.length + 1;
      const dealt = found.effects.some((effect) => effect.kind === "dealt");
      this.slots = arrangeSlots(
        found.observation.room,
        isNext && !dealt ? this.slots : null,
      );
      this.moves = moves;
      this.observation = found.observation;
      this.lines = effectLines(found.effects);
      this.message = "";
    } catch (error) {
      this.message = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }
}
