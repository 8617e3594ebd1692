/**
 * The guided dungeon: the server checks each move and explains it; nothing is stored
 * there. This device stores the accepted moves, so the lesson can be left and resumed.
 */
import { learningApi, type Lesson } from "../../api/learning";
import type { MoveAnswer, Run } from "../../api/runs";
import { errorMessage } from "../../copy/errors";
import { setSetting } from "../core/settings.svelte";
import { readItem, writeItem } from "../core/storage";
import type { MoveRequest } from "./send_move";
import { TableStore } from "./table.svelte";

const STORAGE_KEY = "scoundrel.lesson";

interface Progress {
  moves: string[];
  startedAt: number;
}

/** The stored progress; null if no step has been taken. */
export function readProgress(): Progress | null {
  try {
    const kept: unknown = JSON.parse(readItem("localStorage", STORAGE_KEY) ?? "null");
    const { moves, startedAt } = kept as Progress;
    if (!Array.isArray(moves) || moves.length === 0) return null;
    return {
      moves: moves.filter((move) => typeof move === "string"),
      startedAt: Number(startedAt) || Date.now(),
    };
  } catch {
    return null;
  }
}

/** The lesson's position as a run, which is what the table shows. */
function runOf(lesson: Lesson, startedAt: number): Run {
  return {
    ...lesson.observation,
    id: "lesson",
    kind: "practice",
    player: "",
    ruleset: lesson.ruleset,
    difficulty: "normal",
    seal: "",
    seed: null,
    started_at: new Date(startedAt).toISOString(),
    finished_at: null,
    elapsed_ms: Date.now() - startedAt,
    race: null,
    daily: null,
    pool: "people",
    coached: false,
  };
}

export class LessonStore {
  lesson = $state.raw<Lesson | null>(null);
  busy = $state(false);
  loadError = $state("");
  readonly table: TableStore;
  #moves: string[] = [];
  #startedAt = Date.now();
  #before: Run | null = null;

  constructor() {
    this.table = new TableStore((request) => this.#send(request));
  }

  get finished(): boolean {
    return this.lesson !== null && this.lesson.step === this.lesson.steps;
  }

  /** Opens the lesson at the step that was reached on this device. */
  async open(): Promise<void> {
    const progress = readProgress();
    this.#startedAt = progress?.startedAt ?? Date.now();
    const opened = await this.#show(progress?.moves ?? []);
    // The lesson may have changed since, so that the moves no longer fit.
    if (!opened && progress) await this.restart();
  }

  async restart(): Promise<void> {
    writeItem("localStorage", STORAGE_KEY, null);
    this.#startedAt = Date.now();
    await this.#show([]);
  }

  /** Plays the rooms that the guide skips. */
  async skip(): Promise<void> {
    if (this.lesson) await this.#show([...this.#moves, ...this.lesson.skipped]);
  }

  /** Takes the mistake back. */
  undo(): void {
    if (!this.lesson?.mistake || !this.#before) return;
    this.lesson = { ...this.lesson, mistake: null };
    this.table.replace(this.#before);
    this.table.advised = this.lesson.advised;
    this.table.paused = false;
  }

  close(): void {
    this.table.close();
  }

  async #send(request: MoveRequest): Promise<MoveAnswer> {
    this.#before = this.table.run;
    const moves = [...this.#moves, request.move];
    const found = await learningApi.lesson(moves);
    this.#take(found, moves);
    return {
      run: runOf(found, this.#startedAt),
      effects: found.effects,
      replayed: false,
    };
  }

  async #show(moves: string[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.loadError = "";
    try {
      const found = await learningApi.lesson(moves);
      this.table.replace(runOf(found, this.#startedAt));
      this.#take(found, moves);
      return true;
    } catch (error) {
      this.loadError = errorMessage(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  #take(found: Lesson, moves: string[]): void {
    this.lesson = found;
    this.table.paused = found.mistake !== null || found.skipped.length > 0;
    this.table.advised = found.mistake === null ? found.advised : [];
    if (found.mistake !== null) return;
    this.#moves = moves;
    if (this.finished) {
      writeItem("localStorage", STORAGE_KEY, null);
      setSetting("learned", true);
      return;
    }
    const progress: Progress = { moves, startedAt: this.#startedAt };
    writeItem(
      "localStorage",
      STORAGE_KEY,
      moves.length > 0 ? JSON.stringify(progress) : null,
    );
  }
}
