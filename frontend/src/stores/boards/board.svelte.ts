/** One board as it is read: page by page, or about oneself. */
import { cursorOf, boardsApi, type Board, type BoardAsked } from "../../api/boards";
import type { Entry } from "../../api/boards";
import { sentence } from "../../copy/errors";
import { announcer } from "../core/announcer.svelte";

const PAGE = 25;

export class BoardStore {
  /** What was said of the board with its first page. */
  board = $state.raw<Board | null>(null);
  lines = $state.raw<readonly Entry[]>([]);
  /** The lines about one's own, while those are looked at instead. */
  around = $state.raw<readonly Entry[] | null>(null);
  next = $state<string | null>(null);
  trouble = $state("");
  busy = $state(false);
  readonly #page: number;
  #asked: BoardAsked | null = null;

  constructor(page = PAGE) {
    this.#page = page;
  }

  get shown(): readonly Entry[] {
    return this.around ?? this.lines;
  }

  /** The first page of a board, in place of what was shown. */
  async open(asked: BoardAsked): Promise<void> {
    this.#asked = asked;
    this.trouble = "";
    try {
      const board = await boardsApi.board({ ...asked, limit: this.#page });
      if (this.#asked !== asked) return;
      this.board = board;
      this.lines = board.results;
      this.next = cursorOf(board.next);
      this.around = null;
    } catch (error) {
      if (this.#asked !== asked) return;
      this.trouble = sentence(error);
      this.board = null;
      this.lines = [];
      this.around = null;
      this.next = null;
    }
  }

  /** The next page, under the others. */
  async more(): Promise<void> {
    const { next } = this;
    if (next === null) return;
    await this.#ask({ cursor: next }, (board) => {
      this.lines = [...this.lines, ...board.results];
      this.next = cursorOf(board.next);
      announcer.say(`${board.results.length} more.`);
    });
  }

  /** The lines about one's own. */
  async aroundMe(): Promise<void> {
    await this.#ask({ around: "me" }, (board) => {
      this.around = board.results;
      announcer.say(
        board.me ? `You are ${board.me.rank} of ${board.total}.` : "You are not on it.",
      );
    });
  }

  fromTheTop(): void {
    this.around = null;
  }

  async #ask(part: Partial<BoardAsked>, take: (board: Board) => void): Promise<void> {
    const asked = this.#asked;
    if (!asked || this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      const board = await boardsApi.board({ ...asked, limit: this.#page, ...part });
      if (this.#asked === asked) take(board);
    } catch (error) {
      if (this.#asked === asked) this.trouble = sentence(error);
    } finally {
      this.busy = false;
    }
  }
}
