import { expect, it } from "vitest";
import type { Hint } from "../api/analysis";
import { chanceText, hintText, lineText } from "./coach";

const hint: Hint = {
  run: "r1",
  seal: "",
  version: "1",
  status: "done",
  progress: 1,
  queue_position: null,
  index: 0,
  level: 0,
  chance: 0.24,
  chance_error: 0.015,
};

it("tells as much as the level of the hint", () => {
  expect(hintText(hint)).toEqual([]);
  expect(hintText({ ...hint, theme: "armed" })).toHaveLength(1);
  expect(
    hintText({ ...hint, theme: "armed", card: "9C", plan: ["9Cw", "4H"] }).slice(1),
  ).toEqual(["Start with the orc 9.", "Fight the orc 9 armed and drink the honey 4."]);
  expect(hintText({ ...hint, theme: "avoid", card: null, plan: ["avoid"] })).toContain(
    "Avoid this room.",
  );
});

it("says a chance with its error", () => {
  expect(chanceText(hint)).toMatch(/^About 24 %, give or take 3:/);
});

it("says the best score and the next moves", () => {
  expect(lineText(27, true, ["5D"])).toBe(
    "Best score from here: 27. Next: take up the hatchet 5.",
  );
  expect(lineText(-3, false, [])).toBe("Best score from here: −3, or more.");
});
