import { expect, it } from "vitest";
import { anEntry } from "../fixtures/dailies";
import {
  exactTime,
  lineMore,
  marksOf,
  spanName,
  stepsOf,
  valueText,
} from "./daily_boards";

it("shows a value as what it is", () => {
  expect(valueText("score", -26)).toBe("−26");
  expect(valueText("time_ms", 168_345)).toBe("2:48.345");
  expect(exactTime(3_599_999)).toBe("59:59.999");
  expect(exactTime(60_000)).toBe("1:00.000");
  expect(valueText("days", 1)).toBe("1 day");
  expect(valueText("days", 12)).toBe("12 days");
  expect(valueText("points", 1531)).toBe("1531");
});

it("says more of a run only where the board is of scores", () => {
  expect(lineMore("score", anEntry(1))).toBe("Got out · 1 min 0 s");
  expect(lineMore("score", anEntry(1, { cleared: false, elapsed_ms: null }))).toBe(
    "Died",
  );
  expect(lineMore("points", anEntry(1, { cleared: null, elapsed_ms: null }))).toBe("");
  expect(lineMore("time_ms", anEntry(1))).toBe("");
});

it("names spans", () => {
  expect(spanName("season", "5")).toBe("Season 5");
  expect(spanName("week", "2026-W08")).toBe("Week 8 of 2026");
  expect(spanName("day", "2026-11-29")).toBe("Sun 29 Nov 2026");
});

it("makes a curve of shares that ends at everybody", () => {
  const steps = stepsOf([
    { score: 14, players: 1 },
    { score: -3, players: 2 },
    { score: -26, players: 1 },
  ]);
  expect(steps.map(({ score, share }) => [score, share])).toEqual([
    [-26, 25],
    [-3, 75],
    [14, 100],
  ]);
  expect(stepsOf([])).toEqual([]);
});

it("marks a scale at round numbers, few of them", () => {
  expect(marksOf(-152, 4)).toEqual([-150, -100, -50, 0]);
  expect(marksOf(3, 5)).toEqual([3, 4, 5]);
  for (const [low, high] of [
    [-208, 30],
    [-1, 0],
    [7, 7],
    [-12, 20],
  ] as const) {
    const marks = marksOf(low, high);
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.length).toBeLessThan(8);
    expect(marks.every((mark) => mark >= low && mark <= high)).toBe(true);
  }
});
