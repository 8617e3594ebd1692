import { describe, expect, it } from "vitest";
import { event } from "../../fixtures/races";
import { aRun } from "../../fixtures/runs";
import { visibleBoards } from "./spectator_boards.svelte";

const moved = (seat: number, index: number, health: number) =>
  event(index + 1, "moved", { seat, index, depth: index, table: aRun({ health }) });

describe("visible tables of other entrants", () => {
  it("keeps the table after each entrant's last visible move", () => {
    const seen = visibleBoards([moved(1, 0, 18), moved(1, 1, 15), moved(2, 0, 20)]);
    expect(seen[1]?.table.health).toBe(15);
    expect(seen[2]?.table.health).toBe(20);
  });

  it("never goes back to an older table", () => {
    const seen = visibleBoards([moved(1, 0, 18)], visibleBoards([moved(1, 3, 9)]));
    expect(seen[1]?.table.health).toBe(9);
  });

  it("ignores masked and hidden events", () => {
    const masked = event(4, "moved", { seat: 2, depth: 4, masked: true });
    expect(visibleBoards([masked, event(5, "hidden")])).toEqual({});
  });
});
