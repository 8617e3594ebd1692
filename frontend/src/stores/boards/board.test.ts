import { afterEach, expect, it, vi } from "vitest";
import { aBoard, anEntry } from "../../fixtures/dailies";
import { cursorOf, type BoardRequest } from "../../api/boards";
import { network } from "../../fixtures/network";
import { BoardStore } from "./board.svelte";

const ASKED: BoardRequest = { board: "daily", ruleset: "tavern-1" };
const NEXT = "http://site.example/api/v1/leaderboards/daily/?cursor=52.1.2&limit=2";

afterEach(() => vi.unstubAllGlobals());

it("loads the next page from the cursor", async () => {
  network([
    { body: aBoard({ next: NEXT, total: 3 }) },
    { body: aBoard({ results: [anEntry(3)], total: 3 }) },
  ]);
  const store = new BoardStore(2);
  await store.open(ASKED);
  expect(store.next).toBe("52.1.2");
  await store.more();
  expect(store.shown.map((line) => line.rank)).toEqual([1, 2, 3]);
  expect(store.next).toBeNull();
  expect(cursorOf(null)).toBeNull();
});

it("shows the entries around the player, and the top again", async () => {
  const me = { rank: 7, value: 3, percentile: 40, run: null };
  network([
    { body: aBoard({ me }) },
    { body: aBoard({ me, results: [anEntry(6), anEntry(7, { is_you: true })] }) },
  ]);
  const store = new BoardStore();
  await store.open(ASKED);
  await store.showAroundMe();
  expect(store.shown.map((line) => line.rank)).toEqual([6, 7]);
  store.showTop();
  expect(store.shown.map((line) => line.rank)).toEqual([1, 2]);
});

it("shows the board that was requested last", async () => {
  network([{ body: aBoard() }, { body: aBoard({ board: "week", results: [] }) }]);
  const store = new BoardStore();
  await Promise.all([store.open(ASKED), store.open({ ...ASKED, board: "week" })]);
  expect(store.board?.board).toBe("week");
});

it("shows an error, and no outdated board", async () => {
  network([
    { body: aBoard() },
    { status: 400, body: { code: "board.no_such_span", detail: "No such day." } },
  ]);
  const store = new BoardStore();
  await store.open(ASKED);
  await store.open({ ...ASKED, of: "x" });
  expect([store.loadError, store.board, store.lines.length]).toEqual([
    "No such day.",
    null,
    0,
  ]);
});
