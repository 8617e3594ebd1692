import { expect, test } from "vitest";
import { waitLeft } from "./wait";

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
