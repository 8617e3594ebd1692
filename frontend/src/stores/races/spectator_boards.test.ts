import { describe, expect, it } from "vitest";
import { event } from "../../fixtures/races";
import { aRun } from "../../fixtures/runs";
import { visibleBoards } from "./spectator_boards.svelte";

const moved = (seat: number, index: number, health: number) =>
  event(index + 1, "moved", { seat, index, depth: index, table: aRun({ health }) });

describe("what may be seen of others", () => {
  it("is each one's table after his last move in full", () => {
    const seen = visibleBoards([moved(1, 0, 18), moved(1, 1, 15), moved(2, 0, 20)]);
    expect(seen[1]?.table.health).toBe(15);
    expect(seen[2]?.table.health).toBe(20);
  });

  it("never goes back, and holds on to what it has", () => {
    const seen = visibleBoards([moved(1, 0, 18)], visibleBoards([moved(1, 3, 9)]));
    expect(seen[1]?.table.health).toBe(9);
  });

  it("makes nothing of a masked or a hidden event", () => {
    const masked = event(4, "moved", { seat: 2, depth: 4, masked: true });
    expect(visibleBoards([masked, event(5, "hidden")])).toEqual({});
  });
});
