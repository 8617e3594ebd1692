/** A leaderboard: page by page, or around the player's own entry. */
import { cursorOf, boardsApi, type Board, type BoardRequest } from "../../api/boards";
import type { Entry } from "../../api/boards";
import { errorMessage } from "../../copy/errors";
import { announcer } from "../core/announcer.svelte";

const PAGE = 25;

export class BoardStore {
  /** The board as loaded with its first page. */
  board = $state.raw<Board | null>(null);
  lines = $state.raw<readonly Entry[]>([]);
  /** The entries around the player's own; null while the top is shown. */
  around = $state.raw<readonly Entry[] | null>(null);
  next = $state<string | null>(null);
  loadError = $state("");
  busy = $state(false);
  readonly #page: number;
  #request: BoardRequest | null = null;

  constructor(page = PAGE) {
    this.#page = page;
  }

  get shown(): readonly Entry[] {
    return this.around ?? this.lines;
  }

  /** Loads the first page of a board. */
  async open(request: BoardRequest): Promise<void> {
    this.#request = request;
    this.loadError = "";
    try {
      const board = await boardsApi.board({ ...request, limit: this.#page });
      if (this.#request !== request) return;
      this.board = board;
      this.lines = board.results;
      this.next = cursorOf(board.next);
      this.around = null;
    } catch (error) {
      if (this.#request !== request) return;
      this.loadError = errorMessage(error);
      this.board = null;
      this.lines = [];
      this.around = null;
      this.next = null;
    }
  }

  /** Appends the next page. */
  async more(): Promise<void> {
    const { next } = this;
    if (next === null) return;
    await this.#load({ cursor: next }, (board) => {
      this.lines = [...this.lines, ...board.results];
      this.next = cursorOf(board.next);
      announcer.say(`${board.results.length} more entries.`);
    });
  }

  /** Loads the entries around the player's own. */
  async showAroundMe(): Promise<void> {
    await this.#load({ around: "me" }, (board) => {
      this.around = board.results;
      announcer.say(
        board.me
          ? `You are ${board.me.rank} of ${board.total}.`
          : "You are not on this board.",
      );
    });
  }

  showTop(): void {
    this.around = null;
  }

  async #load(
    part: Partial<BoardRequest>,
    take: (board: Board) => void,
  ): Promise<void> {
    const request = this.#request;
    if (!request || this.busy) return;
    this.busy = true;
    this.loadError = "";
    try {
      const board = await boardsApi.board({ ...request, limit: this.#page, ...part });
      if (this.#request === request) take(board);
    } catch (error) {
      if (this.#request === request) this.loadError = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }
}
