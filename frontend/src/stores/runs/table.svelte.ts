/**
 * One run at the table: what is chosen, what is on its way, what has happened.
 *
 * The server decides; nothing here foretells a result. But hands are never tied: cards
 * can be chosen while a move is on its way, and one further move waits its turn.
 */
import { runsApi } from "../../api/runs";
import { Problem } from "../../logic/problem";
import { sentence } from "../../copy/errors";
import type { Effect, LegalMove, Run } from "../../api/runs";
import { cardOfMove } from "../../logic/cards";
import { tellAll, tellRoom, type Line } from "../../copy/story";
import { announcer } from "../core/announcer.svelte";
import {
  avoidChoice,
  choicesOf,
  type Choice,
  type ChoiceKind,
} from "../../copy/choices";
import { keepJournal, readJournal, type LogEntry } from "./journal";
import { deliver } from "./outbox";
import { layOut, type Slots } from "../../logic/slots";
import { Tabs } from "./other_tabs";

/** How long after the first press a second one may confirm a deadly choice. */
const THINK_MS = 350;
const REFRESH_MS = 1_500;

export type Connection = "ok" | "retrying";
/** Draws a change: told the moment before it is shown, and after. */
export interface Stage {
  change: (effects: readonly Effect[], commit: () => void) => void;
}

/** What its last move did; nothing where that cannot be had, and is then not told. */
async function lastEffects(run: string): Promise<readonly Effect[]> {
  try {
    return (await runsApi.replay(run)).moves.at(-1)?.effects ?? [];
  } catch {
    return [];
  }
}

/** A move asked for while another was on its way, and what it was shown to cost. */
interface Waiting {
  card: string;
  kind: ChoiceKind;
  shown: LegalMove | undefined;
}

/** Whether a move has come to cost more than the player was shown. */
function isWorse(now: LegalMove, shown: LegalMove | undefined): boolean {
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
  chosen = $state<string | null>(null);
  /** A deadly move that was asked for once. */
  asked = $state<string | null>(null);
  /** The move on its way to the server. */
  sent = $state<string | null>(null);
  connection = $state<Connection>("ok");
  message = $state.raw<Line | null>(null);
  journal = $state.raw<readonly LogEntry[]>([]);
  lastEffects = $state.raw<readonly Effect[]>([]);
  trouble = $state.raw<unknown>(null);

  choices = $derived(
    this.run && this.chosen ? choicesOf(this.run, this.chosen) : ([] as Choice[]),
  );
  avoid = $derived(this.run ? avoidChoice(this.run) : null);
  over = $derived(this.run !== null && this.run.status !== "playing");

  stage: Stage | null = null;
  #askedAt = 0;
  #waiting: Waiting | null = null;
  #closed = false;
  #refreshedAt = 0;
  #tabs = new Tabs();
  readonly #send: typeof deliver;

  /** `send` brings a move to the server: by REST, unless a race has a socket. */
  constructor(send: typeof deliver = deliver) {
    this.#send = send;
  }

  async open(id: string): Promise<void> {
    this.trouble = null;
    try {
      const run = await runsApi.run(id);
      this.journal = readJournal(id);
      this.#lay(run, null);
      this.#listen(id);
      // A daily's moves are told to nobody before its board is settled.
      const isHidden = run.daily !== null && run.seed === null;
      if (this.over && !isHidden) this.lastEffects = await lastEffects(id);
      announcer.say(`You have ${run.health} of ${run.cap}. ${tellRoom(run)}`);
    } catch (error) {
      this.trouble = error;
    }
  }

  /** The run as the server has just said it is, unasked. */
  take(run: Run): void {
    const known = this.run;
    if (known?.id !== run.id) {
      this.journal = readJournal(run.id);
      this.#lay(run, null);
      this.#listen(run.id);
      if (!this.over) announcer.say(tellRoom(run));
      return;
    }
    // A move on its way is answered soon; what is older than the table is not news.
    const ended = run.status !== "playing" && !this.over;
    if ((this.sent && !ended) || run.index < known.index) return;
    const moved = run.index > known.index;
    this.#lay(run, null);
    if (moved && !ended) this.#movedElsewhere();
  }

  close(): void {
    this.#closed = true;
    this.#tabs.close();
  }

  choose(code: string): void {
    if (this.over || !this.slots.includes(code) || code === this.#onItsWay()) return;
    this.asked = null;
    this.chosen = code;
  }

  unchoose(): void {
    this.chosen = null;
    this.asked = null;
  }

  /** Plays what the chosen card offers under that name, or says why not. */
  act(kind: ChoiceKind, now = Date.now()): void {
    const choice =
      kind === "avoid" ? this.avoid : this.choices.find((c) => c.kind === kind);
    if (!choice || this.over) return;
    if (this.sent) {
      this.#wait(choice);
      return;
    }
    if (choice.refusal) {
      this.#say({ text: choice.refusal.long, tone: "plain" });
      return;
    }
    if (choice.harm === "death" && !this.#sure(choice.move, now)) return;
    void this.#play(choice.move);
  }

  /** Fetches the run anew, if it may have moved on elsewhere. */
  async refresh(now = Date.now()): Promise<void> {
    const { run } = this;
    if (!run || this.sent || now - this.#refreshedAt < REFRESH_MS) return;
    this.#refreshedAt = now;
    try {
      const found = await runsApi.run(run.id);
      if (!this.sent && found.index >= (this.run?.index ?? 0)) this.#catchUp(found);
    } catch {
      // Nobody asked for it; the next move will tell if the connection is gone.
    }
  }

  async abandon(): Promise<void> {
    if (!this.run) return;
    try {
      this.#lay(await runsApi.abandon(this.run.id), null);
      this.#tabs.tell();
    } catch (error) {
      this.#say({ text: sentence(error), tone: "plain" });
    }
  }

  #onItsWay(): string | null {
    return this.sent ? cardOfMove(this.sent) : null;
  }

  /** True at the second, deliberate press; a double click is not two thoughts. */
  #sure(move: string, now: number): boolean {
    if (this.asked === move) return now - this.#askedAt >= THINK_MS;
    this.asked = move;
    this.#askedAt = now;
    announcer.say("That kills you. Once more to go through with it.");
    return false;
  }

  async #play(move: string): Promise<void> {
    const { run } = this;
    const entry = run?.legal.find((legal) => legal.move === move);
    if (!run || !entry || this.sent) return;
    this.sent = move;
    this.asked = null;
    try {
      const answer = await this.#send({
        run: run.id,
        index: run.index,
        move,
        onTrouble: () => this.#troubled(),
        isGivenUp: () => this.#closed,
      });
      if (answer) this.#happened(answer.run, answer.effects);
    } catch (error) {
      await this.#refused(error);
    } finally {
      this.sent = null;
      this.connection = "ok";
    }
    this.#next();
  }

  #troubled(): void {
    if (this.connection === "ok") {
      announcer.say("No connection. Your move is kept and sent again.");
    }
    this.connection = "retrying";
  }

  #happened(run: Run, effects: readonly Effect[]): void {
    const told = tellAll(effects);
    const room = this.run?.room_number ?? run.room_number;
    const commit = () => {
      this.sent = null;
      this.lastEffects = effects;
      this.#lay(run, effects);
      this.message = told.at(-1) ?? null;
      this.#write(run, room, told);
    };
    if (this.stage) this.stage.change(effects, commit);
    else commit();
    const dealt = effects.some((effect) => effect.kind === "dealt");
    const words = told.map((line) => line.text);
    announcer.say([...words, ...(dealt ? [tellRoom(run)] : [])].join(" "));
    this.#tabs.tell();
  }

  async #refused(error: unknown): Promise<void> {
    this.#waiting = null;
    const known = error instanceof Problem ? error.body.run : undefined;
    if (known) {
      this.#catchUp(known as Run);
      return;
    }
    this.#say({ text: sentence(error), tone: "plain" });
    if (this.run) {
      try {
        this.#lay(await runsApi.run(this.run.id), null);
      } catch {
        // The sentence above has said it.
      }
    }
  }

  /** Another tab, or another device, has played on. */
  #catchUp(run: Run): void {
    const moved = run.index !== this.run?.index || run.status !== this.run.status;
    if (!moved) return;
    this.#lay(run, null);
    this.#movedElsewhere();
  }

  #movedElsewhere(): void {
    this.#say({
      text: "This run moved on elsewhere. Here is the table now.",
      tone: "plain",
    });
  }

  /** A room cannot be avoided unseen, so that wish alone does not wait. */
  #wait(choice: Choice): void {
    if (!this.chosen || choice.kind === "avoid") return;
    const shown = this.run?.legal.find((legal) => legal.move === choice.move);
    this.#waiting = { card: this.chosen, kind: choice.kind, shown };
  }

  /** Sends the move that waited, unless it now costs more than the player was shown. */
  #next(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    const { run } = this;
    if (!waiting || !run || this.over || !run.room.includes(waiting.card)) return;
    const choice = choicesOf(run, waiting.card).find((c) => c.kind === waiting.kind);
    const entry = run.legal.find((legal) => legal.move === choice?.move);
    if (entry && !isWorse(entry, waiting.shown)) void this.#play(entry.move);
    else this.#say({ text: "The table changed. Choose again.", tone: "plain" });
  }

  #lay(run: Run, effects: readonly Effect[] | null): void {
    const before = this.run?.id === run.id ? this.slots : null;
    const dealt = effects?.find((effect) => effect.kind === "dealt");
    const first = run.room[0];
    if (dealt || before === null) {
      const fresh = run.faced_in_room === 0 && run.room_number > 1 && !run.avoided_last;
      this.carried = fresh && first && !dealt?.cards.includes(first) ? first : null;
    }
    this.slots = layOut(run.room, effects === null && before === null ? null : before);
    this.run = run;
    if (!run.room.includes(this.chosen ?? "") || run.status !== "playing")
      this.unchoose();
  }

  #write(run: Run, room: number, told: readonly Line[]): void {
    const added = told.map((line) => ({ index: run.index, room, ...line }));
    this.journal = [...this.journal, ...added];
    keepJournal(run.id, this.journal);
  }

  #say(line: Line): void {
    this.message = line;
    announcer.say(line.text);
  }

  #listen(id: string): void {
    this.#tabs.listen(id, () => {
      this.#refreshedAt = 0;
      void this.refresh();
    });
  }
}
