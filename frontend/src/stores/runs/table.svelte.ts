/**
 * One run at the table: the selected card, the move being sent and the log.
 *
 * The server decides every result. While a move is being sent, cards can still be
 * selected, and one further move is queued.
 */
import { runsApi } from "../../api/runs";
import { Problem } from "../../logic/problem";
import { errorMessage } from "../../copy/errors";
import type { Effect, LegalMove, Run } from "../../api/runs";
import { cardOfMove } from "../../logic/cards";
import { effectLines, roomText, type Line } from "../../copy/story";
import { announcer } from "../core/announcer.svelte";
import {
  avoidChoice,
  choicesOf,
  type Choice,
  type ChoiceKind,
} from "../../copy/choices";
import { saveLog, readLog, type LogEntry } from "./story_log";
import { sendMove } from "./send_move";
import { arrangeSlots, type Slots } from "../../logic/slots";
import { OtherTabs } from "./other_tabs";

/** The minimum time between the two presses that confirm a deadly move. */
const CONFIRM_AFTER_MS = 350;
const REFRESH_MS = 1_500;

export type Connection = "ok" | "retrying";
/** Animates a change: called with the effects and the function that applies it. */
export interface Animator {
  change: (effects: readonly Effect[], commit: () => void) => void;
}

/** The effects of the last move; empty if they cannot be loaded. */
async function lastEffects(run: string): Promise<readonly Effect[]> {
  try {
    return (await runsApi.replay(run)).moves.at(-1)?.effects ?? [];
  } catch {
    return [];
  }
}

/** A move made while another was being sent, and the costs it was shown with. */
interface QueuedMove {
  card: string;
  kind: ChoiceKind;
  shown: LegalMove | undefined;
}

/** Whether a move costs more than the player was shown. */
function isCostlier(now: LegalMove, shown: LegalMove | undefined): boolean {
  if (now.lethal) return true;
  if (!shown) return false;
  return (
    now.damage > shown.damage ||
    now.drops.length > shown.drops.length ||
    (now.wasted && !shown.wasted)
  );
}

export class TableStore {
  run = $state.raw<Run | null>(null);
  slots = $state.raw<Slots>([]);
  carried = $state.raw<string | null>(null);
  selected = $state<string | null>(null);
  /** A deadly move that was pressed once, and must be pressed again. */
  unconfirmedMove = $state<string | null>(null);
  /** The move being sent. */
  sent = $state<string | null>(null);
  connection = $state<Connection>("ok");
  message = $state.raw<Line | null>(null);
  log = $state.raw<readonly LogEntry[]>([]);
  lastEffects = $state.raw<readonly Effect[]>([]);
  loadError = $state.raw<unknown>(null);
  /** The moves that a guide or the coach recommends; the table marks them. */
  advised = $state.raw<readonly string[]>([]);
  /** No card can be chosen or played, because a guide explains something. */
  paused = $state(false);

  choices = $derived(
    this.run && this.selected ? choicesOf(this.run, this.selected) : ([] as Choice[]),
  );
  avoid = $derived(this.run ? avoidChoice(this.run) : null);
  over = $derived(this.run !== null && this.run.status !== "playing");

  animator: Animator | null = null;
  #firstPressAt = 0;
  #queued: QueuedMove | null = null;
  #closed = false;
  #refreshedAt = 0;
  #otherTabs = new OtherTabs();
  readonly #sendMove: typeof sendMove;

  /** `sendMove` sends a move: by REST, or by the socket of a race. */
  constructor(send: typeof sendMove = sendMove) {
    this.#sendMove = send;
  }

  async open(id: string): Promise<void> {
    this.loadError = null;
    try {
      const run = await runsApi.run(id);
      this.log = readLog(id);
      this.#setRun(run, null);
      this.#followOtherTabs(id);
      // The moves of a daily are not published before its board is settled.
      const isHidden = run.daily !== null && run.seed === null;
      if (this.over && !isHidden) this.lastEffects = await lastEffects(id);
      announcer.say(`You have ${run.health} of ${run.cap}. ${roomText(run)}`);
    } catch (error) {
      this.loadError = error;
    }
  }

  /** Takes a run that the server pushed. */
  take(run: Run): void {
    const known = this.run;
    if (known?.id !== run.id) {
      this.log = readLog(run.id);
      this.#setRun(run, null);
      this.#followOtherTabs(run.id);
      if (!this.over) announcer.say(roomText(run));
      return;
    }
    // A move being sent is answered soon; older states are ignored.
    const ended = run.status !== "playing" && !this.over;
    if ((this.sent && !ended) || run.index < known.index) return;
    const moved = run.index > known.index;
    this.#setRun(run, null);
    if (moved && !ended) this.#announceMovedElsewhere();
  }

  /** Shows another position of the run: before a move that was undone, or later. */
  replace(run: Run): void {
    this.lastEffects = [];
    this.message = null;
    this.advised = [];
    this.deselect();
    this.#setRun(run, null);
    this.log = this.log.filter((entry) => entry.index <= run.index);
    saveLog(run.id, this.log);
    announcer.say(roomText(run));
  }

  close(): void {
    this.#closed = true;
    this.#otherTabs.close();
  }

  select(code: string): void {
    if (
      this.over ||
      this.paused ||
      !this.slots.includes(code) ||
      code === this.#sentCard()
    )
      return;
    this.unconfirmedMove = null;
    this.selected = code;
  }

  deselect(): void {
    this.selected = null;
    this.unconfirmedMove = null;
  }

  /** Plays the choice of that kind for the selected card, or shows why not. */
  act(kind: ChoiceKind, now = Date.now()): void {
    const choice =
      kind === "avoid" ? this.avoid : this.choices.find((c) => c.kind === kind);
    if (!choice || this.over || this.paused) return;
    if (this.sent) {
      this.#queue(choice);
      return;
    }
    if (choice.refusal) {
      this.#showMessage({ text: choice.refusal.long, tone: "plain" });
      return;
    }
    if (choice.harm === "death" && !this.#isConfirmed(choice.move, now)) return;
    void this.#play(choice.move);
  }

  /** Reloads the run, in case it was continued elsewhere. */
  async refresh(now = Date.now()): Promise<void> {
    const { run } = this;
    if (!run || this.sent || now - this.#refreshedAt < REFRESH_MS) return;
    this.#refreshedAt = now;
    try {
      const found = await runsApi.run(run.id);
      if (!this.sent && found.index >= (this.run?.index ?? 0)) this.#applyNewer(found);
    } catch {
      // Ignored: the next move will show whether the connection is lost.
    }
  }

  async abandon(): Promise<void> {
    if (!this.run) return;
    try {
      this.#setRun(await runsApi.abandon(this.run.id), null);
      this.#otherTabs.notify();
    } catch (error) {
      this.#showMessage({ text: errorMessage(error), tone: "plain" });
    }
  }

  #sentCard(): string | null {
    return this.sent ? cardOfMove(this.sent) : null;
  }

  /** True at the second press, unless it comes too fast, as in a double click. */
  #isConfirmed(move: string, now: number): boolean {
    if (this.unconfirmedMove === move)
      return now - this.#firstPressAt >= CONFIRM_AFTER_MS;
    this.unconfirmedMove = move;
    this.#firstPressAt = now;
    announcer.say("This kills you. Press again to confirm.");
    return false;
  }

  async #play(move: string): Promise<void> {
    const { run } = this;
    const entry = run?.legal.find((legal) => legal.move === move);
    if (!run || !entry || this.sent) return;
    this.sent = move;
    this.unconfirmedMove = null;
    try {
      const answer = await this.#sendMove({
        run: run.id,
        index: run.index,
        move,
        onRetry: () => this.#handleRetry(),
        isCancelled: () => this.#closed,
      });
      if (answer) this.#applyAnswer(answer.run, answer.effects);
    } catch (error) {
      await this.#handleRefusal(error);
    } finally {
      this.sent = null;
      this.connection = "ok";
    }
    this.#sendQueued();
  }

  #handleRetry(): void {
    if (this.connection === "ok") {
      announcer.say("No connection. Your move will be sent again.");
    }
    this.connection = "retrying";
  }

  #applyAnswer(run: Run, effects: readonly Effect[]): void {
    const lines = effectLines(effects);
    const room = this.run?.room_number ?? run.room_number;
    const commit = () => {
      this.sent = null;
      this.lastEffects = effects;
      this.#setRun(run, effects);
      this.message = lines.at(-1) ?? null;
      this.#addToLog(run, room, lines);
    };
    if (this.animator) this.animator.change(effects, commit);
    else commit();
    const dealt = effects.some((effect) => effect.kind === "dealt");
    const words = lines.map((line) => line.text);
    announcer.say([...words, ...(dealt ? [roomText(run)] : [])].join(" "));
    this.#otherTabs.notify();
  }

  async #handleRefusal(error: unknown): Promise<void> {
    this.#queued = null;
    const known = error instanceof Problem ? error.body.run : undefined;
    if (known) {
      this.#applyNewer(known as Run);
      return;
    }
    this.#showMessage({ text: errorMessage(error), tone: "plain" });
    if (this.run) {
      try {
        this.#setRun(await runsApi.run(this.run.id), null);
      } catch {
        // The message above is enough.
      }
    }
  }

  /** Takes a newer state of the run, from another tab or device. */
  #applyNewer(run: Run): void {
    const moved = run.index !== this.run?.index || run.status !== this.run.status;
    if (!moved) return;
    this.#setRun(run, null);
    this.#announceMovedElsewhere();
  }

  #announceMovedElsewhere(): void {
    this.#showMessage({
      text: "This run was continued elsewhere. The table is up to date.",
      tone: "plain",
    });
  }

  /** Queues a move. Avoiding is not queued, because the next room is not known yet. */
  #queue(choice: Choice): void {
    if (!this.selected || choice.kind === "avoid") return;
    const shown = this.run?.legal.find((legal) => legal.move === choice.move);
    this.#queued = { card: this.selected, kind: choice.kind, shown };
  }

  /** Sends the queued move, unless it now costs more than the player was shown. */
  #sendQueued(): void {
    const queued = this.#queued;
    this.#queued = null;
    const { run } = this;
    if (!queued || !run || this.over || !run.room.includes(queued.card)) return;
    const choice = choicesOf(run, queued.card).find((c) => c.kind === queued.kind);
    const entry = run.legal.find((legal) => legal.move === choice?.move);
    if (entry && !isCostlier(entry, queued.shown)) void this.#play(entry.move);
    else this.#showMessage({ text: "The table changed. Choose again.", tone: "plain" });
  }

  #setRun(run: Run, effects: readonly Effect[] | null): void {
    const before = this.run?.id === run.id ? this.slots : null;
    const dealt = effects?.find((effect) => effect.kind === "dealt");
    const first = run.room[0];
    if (dealt || before === null) {
      const fresh = run.faced_in_room === 0 && run.room_number > 1 && !run.avoided_last;
      this.carried = fresh && first && !dealt?.cards.includes(first) ? first : null;
    }
    this.slots = arrangeSlots(
      run.room,
      effects === null && before === null ? null : before,
    );
    this.run = run;
    if (!run.room.includes(this.selected ?? "") || run.status !== "playing")
      this.deselect();
  }

  #addToLog(run: Run, room: number, lines: readonly Line[]): void {
    const added = lines.map((line) => ({ index: run.index, room, ...line }));
    this.log = [...this.log, ...added];
    saveLog(run.id, this.log);
  }

  #showMessage(line: Line): void {
    this.message = line;
    announcer.say(line.text);
  }

  #followOtherTabs(id: string): void {
    this.#otherTabs.listen(id, () => {
      this.#refreshedAt = 0;
      void this.refresh();
    });
  }
}
