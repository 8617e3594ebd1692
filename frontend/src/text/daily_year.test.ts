import { expect, it } from "vitest";
import type { Streak, YearDay } from "../net/dailies";
import { calendarOf, monthsOf, streakWords, yearWords } from "./daily_year";

const day = (date: string, more: Partial<YearDay> = {}): YearDay => ({
  date,
  ruleset: "tavern-1",
  run: date,
  status: "died",
  score: -20,
  ranked: true,
  ...more,
});
const streak = (more: Partial<Streak> = {}): Streak => ({
  current: 3,
  longest: 3,
  played_today: false,
  last_on: "2026-11-29",
  frozen_on: null,
  freeze_ready_on: null,
  ...more,
});

it("has every day of a year once, leap days too", () => {
  for (const [year, count] of [
    [2026, 365],
    [2028, 366],
  ] as const) {
    const halves = [calendarOf({ year, days: [] }, 1, 6, "2030-01-01")];
    halves.push(calendarOf({ year, days: [] }, 7, 12, "2030-01-01"));
    const all = halves.flat().map((one) => one.on);
    expect(new Set(all).size).toBe(count);
    expect(all).toEqual(all.toSorted());
  }
});

it("puts a day under its weekday, and weeks side by side", () => {
  const days = calendarOf({ year: 2026, days: [] }, 7, 12, "2026-11-30");
  const monday = days.find((one) => one.on === "2026-11-30");
  expect(monday?.weekday).toBe(0);
  expect(days.find((one) => one.on === "2026-11-29")).toMatchObject({
    weekday: 6,
    week: (monday?.week ?? 0) - 1,
  });
  expect(monthsOf(days).map(({ name }) => name)).toEqual(
    "Jul Aug Sep Oct Nov Dec".split(" "),
  );
});

it("shows the best of a day's attempts, and what is still ahead", () => {
  const days = calendarOf(
    {
      year: 2026,
      days: [
        day("2026-11-28"),
        day("2026-11-28", { ruleset: "bound-1", status: "cleared" }),
        day("2026-11-29", { status: "abandoned" }),
        day("2026-11-30", { status: "playing", score: null }),
      ],
    },
    7,
    12,
    "2026-11-30",
  );
  const marks = Object.fromEntries(days.map(({ on, mark }) => [on, mark]));
  expect(marks["2026-11-27"]).toBe("none");
  expect(marks["2026-11-28"]).toBe("cleared");
  expect(marks["2026-11-29"]).toBe("other");
  expect(marks["2026-11-30"]).toBe("playing");
  expect(marks["2026-12-01"]).toBe("ahead");
});

it("sums a year up by days, not by attempts", () => {
  expect(yearWords({ days: [] })).toBe("No day played yet.");
  const two = [day("2026-11-28"), day("2026-11-28", { status: "cleared" })];
  expect(yearWords({ days: two })).toBe("One day played, out alive on 1.");
  expect(yearWords({ days: [day("2026-11-27"), day("2026-11-28")] })).toBe(
    "2 days played, out alive on none.",
  );
});

it("says what keeps a row of days", () => {
  expect(streakWords(streak({ current: 0, longest: 0 }))).toContain("starts one");
  expect(streakWords(streak({ current: 0, longest: 9 }))).toContain("longest was 9");
  expect(streakWords(streak({ played_today: true, longest: 8 }))).toBe(
    "Today is in. Longest 8.",
  );
  expect(streakWords(streak())).toContain("would be bridged, once");
  expect(streakWords(streak({ freeze_ready_on: "2026-12-20" }))).toBe(
    "Play today, or it breaks.",
  );
});
