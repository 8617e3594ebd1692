import { expect, it } from "vitest";
import { axisTicks, curveSteps } from "./score_curve";

it("computes shares up to 100 %", () => {
  const steps = curveSteps([
    { score: 14, players: 1 },
    { score: -3, players: 2 },
    { score: -26, players: 1 },
  ]);
  expect(steps.map(({ score, share }) => [score, share])).toEqual([
    [-26, 25],
    [-3, 75],
    [14, 100],
  ]);
  expect(curveSteps([])).toEqual([]);
});

it("chooses a few round ticks", () => {
  expect(axisTicks(-152, 4)).toEqual([-150, -100, -50, 0]);
  expect(axisTicks(3, 5)).toEqual([3, 4, 5]);
  for (const [low, high] of [
    [-208, 30],
    [-1, 0],
    [7, 7],
    [-12, 20],
  ] as const) {
    const marks = axisTicks(low, high);
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.length).toBeLessThan(8);
    expect(marks.every((mark) => mark >= low && mark <= high)).toBe(true);
  }
});
