import { expect, test } from "vitest";
import {
  barWords,
  kindWords,
  kinds,
  lasts,
  likely,
  notesWords,
  thingOf,
} from "./moderation";

const AT = "2026-11-30T12:00:00.000Z";

test("every place has a likely kind among the kinds", () => {
  const known = new Set(kinds.map(([key]) => key));
  for (const kind of Object.values(likely)) expect(known.has(kind)).toBe(true);
  expect(kindWords("stalling")).toBe("Holding a race up");
  expect(kindWords("new")).toBe("Something else");
});

test("a sanction says how long it lasts, or how it ended", () => {
  const one = { until: AT, in_force: true, lifted_at: null };
  expect(lasts(one)).toMatch(/^Until 30 November 2026/);
  expect(lasts({ ...one, in_force: false })).toMatch(/^Ended 30 November/);
  expect(lasts({ ...one, lifted_at: AT })).toMatch(/^Taken back on/);
  expect(lasts({ ...one, until: null })).toBe("");
});

test("a bar says why, and until when", () => {
  expect(barWords({ words: "Not so loud.", until: null })).toBe("Not so loud.");
  expect(barWords({ words: "Rest.", until: AT })).toMatch(/^Rest\. Until 30 Nov/);
});

test("a sanction leads to what it is about", () => {
  const of = (kind: string, target: string) => thingOf({ kind, target })?.href;
  expect(of("void_run", "abc")).toBe("/replay/abc");
  expect(of("disqualify", "abc")).toBe("/race/abc");
  expect(of("delete_text", "abc:7")).toBe("/race/abc");
  expect(of("mute", "")).toBeUndefined();
});

test("notes are counted", () => {
  expect(notesWords(1)).toBe("The house has left you a note.");
  expect(notesWords(2)).toContain("2 notes");
});
