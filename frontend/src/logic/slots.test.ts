import { describe, expect, it } from "vitest";
import { arrangeSlots, nearest, step } from "./slots";

describe("arrangeSlots", () => {
  const full = ["8C", "5D", "7H", "QS"];

  it("fills a new room from the left", () => {
    expect(arrangeSlots(full, null)).toEqual(full);
    expect(arrangeSlots(["5H", "7H"], null)).toEqual(["5H", "7H", null, null]);
  });

  it("leaves a gap for a faced card", () => {
    expect(arrangeSlots(["8C", "7H", "QS"], full)).toEqual(["8C", null, "7H", "QS"]);
  });

  it("keeps gaps over several moves", () => {
    expect(arrangeSlots(["8C", "QS"], ["8C", null, "7H", "QS"])).toEqual([
      "8C",
      null,
      null,
      "QS",
    ]);
  });

  it("puts the carried card first in a new room", () => {
    const next = ["QS", "2C", "3C", "4C"];
    expect(arrangeSlots(next, ["8C", null, null, "QS"])).toEqual(next);
  });

  it("changes nothing when the room is the same", () => {
    const before = ["8C", null, "7H", "QS"];
    expect(arrangeSlots(["8C", "7H", "QS"], before)).toBe(before);
  });

  it("empties the table at the end", () => {
    expect(arrangeSlots([], ["8C", null, null, null])).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("moving between cards", () => {
  it("finds the nearest card, the earlier of two", () => {
    expect(nearest(["8C", null, "7H", null], 1)).toBe(0);
    expect(nearest([null, null, null, "QS"], 0)).toBe(3);
    expect(nearest([null, null, null, null], 0)).toBeNull();
  });

  it("skips gaps and stays at the edge", () => {
    expect(step(["8C", null, "7H", "QS"], 0, "ArrowRight", 4)).toBe(2);
    expect(step(["8C", null, "7H", "QS"], 0, "ArrowLeft", 4)).toBe(0);
  });

  it("goes up and down where cards lie in two rows", () => {
    expect(step(["8C", "5D", "7H", "QS"], 1, "ArrowDown", 2)).toBe(3);
    expect(step(["8C", "5D", "7H", "QS"], 3, "ArrowUp", 2)).toBe(1);
    expect(step(["8C", "5D", "7H", "QS"], 1, "ArrowDown", 4)).toBe(1);
  });
});
