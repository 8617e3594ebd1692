import { expect, it } from "vitest";
import type { YearDay } from "../api/dailies";
import { calendarOf, monthsOf } from "./year_calendar";

const day = (date: string, more: Partial<YearDay> = {}): YearDay => ({
  date,
  ruleset: "tavern-1",
  run: date,
  status: "died",
  score: -20,
  ranked: true,
  ...more,
});

it("has every day of a year once", () => {
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

it("assigns weekdays and weeks", () => {
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

it("shows the best attempt of a day, and days ahead", () => {
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
