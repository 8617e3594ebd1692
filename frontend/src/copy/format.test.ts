import { expect, it, test } from "vitest";
import {
  ago,
  capital,
  change,
  duration,
  list,
  signed,
  waitLeft,
  withMinus,
} from "./format";
import { heading, killerOf, partName, shareText, subheading, trail } from "./results";

it("formats numbers with a true minus", () => {
  expect([signed(-13), signed(0), signed(27)]).toEqual(["−13", "0", "27"]);
  expect([change(7), change(-4), change(0)]).toEqual(["+7", "−4", "0"]);
});

it("formats times", () => {
  expect([duration(900), duration(72_000), duration(3_840_000)]).toEqual([
    "1 s",
    "1 min 12 s",
    "1 h 4 min",
  ]);
  const now = new Date("2026-01-03T12:00:00Z");
  expect(ago("2026-01-03T11:59:40Z", now)).toBe("just now");
  expect(ago("2026-01-03T11:48:00Z", now)).toBe("12 min ago");
  expect(ago("2026-01-03T10:30:00Z", now)).toBe("an hour ago");
  expect(ago("2026-01-02T11:00:00Z", now)).toBe("yesterday");
  expect(ago("2025-12-30T11:00:00Z", now)).toBe("4 days ago");
});

it("joins words", () => {
  expect([list([]), list(["a"]), list(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a, b and c",
  ]);
  expect(capital("ghoul")).toBe("Ghoul");
});

it("formats a result to share", () => {
  const fell = {
    ruleset: "Tavern",
    status: "died" as const,
    score: -42,
    room: 13,
    by: "TC",
    seed: "moss",
    address: "http://here",
  };
  expect(shareText(fell)).toBe(
    [
      "Scoundrel Live · Tavern · −42",
      "▮▮▮▮▮▮▮▮▮▮▮▮✝▯▯ Felled by the ogre in room 13",
      "Seed moss",
      "http://here",
    ].join("\n"),
  );
  expect(trail("cleared", 15)).toBe("▮".repeat(15));
  expect(subheading("died", 3, "QS")).toBe("The witch got you in room 3 of 15.");
  expect(killerOf([{ kind: "died", card: "QS" }])).toBe("QS");
  expect(killerOf([])).toBeNull();
});

it("replaces the minus of numbers, not hyphens", () => {
  expect(withMinus("-3 from 4 (-12), bare-handed, 3-4")).toBe(
    "−3 from 4 (−12), bare-handed, 3-4",
  );
});

it("addresses the player, or names them to others", () => {
  expect(heading("died")).toBe("You died");
  expect(heading("died", "Ada")).toBe("Ada died");
  expect(heading("playing", "Ada")).toBe("Ada is still playing");
  expect(partName({ part: "health", value: 3 })).toBe("Health left");
  expect(partName({ part: "health", value: -3 })).toBe("Health below zero");
});

test.each([
  [1, "1 min"],
  [60_000, "1 min"],
  [60_001, "2 min"],
  [59 * 60_000, "59 min"],
  [60 * 60_000, "1 h 0 min"],
  [8 * 3_600_000 - 1, "8 h 0 min"],
  [24 * 3_600_000, "a day 0 h"],
  [72 * 3_600_000, "3 days 0 h"],
])("a wait of %i ms", (ms, words) => {
  expect(waitLeft(ms)).toBe(words);
});
