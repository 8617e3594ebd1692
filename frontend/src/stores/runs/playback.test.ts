import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aRun } from "../../fixtures/runs";
import type { Replay } from "../../api/runs";
import { Playback } from "./playback.svelte";

const replay = {
  ...aRun({ status: "abandoned", score: -200, seed: "moss" }),
  run: "r1",
  deck: [],
  start: aRun(),
  moves: [
    {
      index: 0,
      move: "5D",
      at_ms: 900,
      effects: [{ kind: "equipped", card: "5D", discarded: [] }],
      after: aRun({ index: 1, room: ["8C", "7H", "QS"] }),
    },
    {
      index: 1,
      move: "8Cw",
      at_ms: 1800,
      effects: [{ kind: "fought", card: "8C", armed: true, damage: 3, health: 17 }],
      after: aRun({ index: 2, room: ["7H", "QS"], health: 17 }),
    },
  ],
} as unknown as Replay;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("steps through a run and stays within it", () => {
  const playback = new Playback(replay);
  expect(playback.next).toBe("5D");
  playback.go(1);
  expect(playback.slots).toEqual(["8C", null, "7H", "QS"]);
  expect(playback.lines[0]?.text).toBe("You take up the hatchet, 5.");
  playback.go(99);
  expect([playback.step, playback.next, playback.table.health]).toEqual([2, null, 17]);
  playback.go(-1);
  expect(playback.step).toBe(0);
});

it("plays to the end, stops there, and starts over", () => {
  const playback = new Playback(replay);
  playback.toggle();
  vi.advanceTimersByTime(5_000);
  expect([playback.step, playback.playing]).toEqual([2, false]);
  playback.toggle();
  expect([playback.step, playback.playing]).toEqual([0, true]);
  playback.pause();
});
