import { describe, expect, it } from "vitest";
import { aRun } from "../fixtures/runs";
import type { Replay } from "../api/runs";
import { depthsOf, firstDifference, tableAt } from "./side_by_side";

function replay(...moves: string[]): Replay {
  return {
    start: aRun({ health: 20 }),
    moves: moves.map((move, index) => ({
      index,
      move,
      at_ms: index * 1_000,
      effects: [],
      after: aRun({ health: 19 - index }),
    })),
  } as unknown as Replay;
}

describe("two runs side by side", () => {
  const avoided = replay("avoid", "8Cb", "5D");

  it("counts cards, not moves", () => {
    expect(depthsOf(avoided)).toEqual([0, 1, 2]);
  });

  it("shows the table after so many cards, and the end beyond it", () => {
    expect(tableAt(replay("8Cb"), 0).health).toBe(20);
    expect(tableAt(avoided, 0).health).toBe(19);
    expect(tableAt(avoided, 1).health).toBe(18);
    expect(tableAt(avoided, 44).health).toBe(17);
  });

  it("finds the first difference", () => {
    expect(firstDifference(replay("8Cb", "5D"), replay("8Cb", "7H"))).toBe(1);
    expect(firstDifference(replay("5D"), avoided)).toBe(0);
    expect(firstDifference(replay("8Cb"), replay("8Cb", "5D"))).toBe(1);
    expect(firstDifference(avoided, avoided)).toBeNull();
  });
});
