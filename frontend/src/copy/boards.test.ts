import { expect, it } from "vitest";
import { anEntry } from "../fixtures/dailies";
import { timeWithMs, entryDetail, periodName, valueText } from "./boards";

it("formats values", () => {
  expect(valueText("score", -26)).toBe("−26");
  expect(valueText("time_ms", 168_345)).toBe("2:48.345");
  expect(timeWithMs(3_599_999)).toBe("59:59.999");
  expect(timeWithMs(60_000)).toBe("1:00.000");
  expect(valueText("days", 1)).toBe("1 day");
  expect(valueText("days", 12)).toBe("12 days");
  expect(valueText("points", 1531)).toBe("1531");
});

it("adds details on score boards only", () => {
  expect(entryDetail("score", anEntry(1))).toBe("Cleared · 1 min 0 s");
  expect(entryDetail("score", anEntry(1, { cleared: false, elapsed_ms: null }))).toBe(
    "Died",
  );
  expect(entryDetail("points", anEntry(1, { cleared: null, elapsed_ms: null }))).toBe(
    "",
  );
  expect(entryDetail("time_ms", anEntry(1))).toBe("");
});

it("names periods", () => {
  expect(periodName("season", "5")).toBe("Season 5");
  expect(periodName("week", "2026-W08")).toBe("Week 8 of 2026");
  expect(periodName("day", "2026-11-29")).toBe("Sun 29 Nov 2026");
});
