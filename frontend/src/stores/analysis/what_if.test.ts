import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { anObservation, aWait } from "../../fixtures/reviews";
import { WhatIf } from "./what_if.svelte";

const answer = (more: object = {}, effects: object[] = []) => ({
  body: {
    run: "r1",
    seal: "",
    index: 3,
    moves: [],
    effects,
    observation: anObservation(more),
  },
});
const equipped = { kind: "equipped", card: "5D", discarded: [] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("follows the suggested line while it is played", async () => {
  const polls = network([
    answer(),
    answer({ room: ["8C", "7H", "QS"] }, [equipped]),
    answer({ room: ["8C", "QS"] }),
    answer({ room: ["8C", "7H", "QS"] }),
  ]);
  const game = new WhatIf("r1", 3, ["5D", "QSw"]);
  await game.start();
  expect(game.next).toBe("5D");
  await game.play("5D");
  expect([game.next, game.lines[0]?.text]).toEqual([
    "QSw",
    "You take up the hatchet, 5.",
  ]);
  expect(game.slots).toEqual(["8C", null, "7H", "QS"]);
  await game.play("7H");
  expect(game.next).toBe(null);
  await game.takeBack();
  expect(game.next).toBe("QSw");
  expect(polls.at(-1)).toMatchObject({
    path: "/api/v1/runs/r1/what-if/",
    body: { index: 3, moves: ["5D"] },
  });
});

it("keeps its position when a move is refused", async () => {
  network([
    answer(),
    { status: 422, body: { detail: "You hold no weapon.", code: "x" } },
  ]);
  const game = new WhatIf("r1", 3);
  await game.start();
  await game.play("8Cw");
  expect([game.moves, game.loadError]).toEqual([[], "You hold no weapon."]);
});

it("polls for a solution and suggests its line", async () => {
  const solution = {
    ...aWait("done", 1),
    best: 12,
    proven: true,
    bound: 12,
    line: ["5D"],
  };
  network([answer(), { status: 202, body: aWait("queued") }, { body: solution }]);
  const game = new WhatIf("r1", 3);
  await game.start();
  const looking = game.solve();
  expect(game.solving).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(game.queuePosition).toBe(2);
  await vi.advanceTimersByTimeAsync(4_000);
  await looking;
  expect(game.queuePosition).toBe(null);
  expect([game.next, game.solution, game.solving]).toEqual([
    "5D",
    { best: 12, proven: true },
    false,
  ]);
});

it("reports when no solution is found", async () => {
  network([answer(), { body: aWait("failed") }]);
  const game = new WhatIf("r1", 3);
  await game.start();
  await game.solve();
  expect(game.loadError).toBe("No solution was found in time. Try again.");
});
