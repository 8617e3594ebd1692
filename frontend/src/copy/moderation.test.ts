import { expect, test } from "vitest";
import {
  restrictionText,
  reportKindText,
  reportKinds,
  sanctionEnd,
  defaultReportKind,
  noticesText,
  sanctionTarget,
} from "./moderation";

const AT = "2026-11-30T12:00:00.000Z";

test("every place has a default report kind", () => {
  const known = new Set(reportKinds.map(([key]) => key));
  for (const kind of Object.values(defaultReportKind))
    expect(known.has(kind)).toBe(true);
  expect(reportKindText("stalling")).toBe("Delaying a race");
  expect(reportKindText("new")).toBe("Something else");
});

test("a sanction says when it ends or ended", () => {
  const one = { until: AT, in_force: true, lifted_at: null };
  expect(sanctionEnd(one)).toMatch(/^Until 30 November 2026/);
  expect(sanctionEnd({ ...one, in_force: false })).toMatch(/^Ended 30 November/);
  expect(sanctionEnd({ ...one, lifted_at: AT })).toMatch(/^Lifted on/);
  expect(sanctionEnd({ ...one, until: null })).toBe("");
});

test("a restriction says why and until when", () => {
  expect(restrictionText({ words: "Not so loud.", until: null })).toBe("Not so loud.");
  expect(restrictionText({ words: "Rest.", until: AT })).toMatch(
    /^Rest\. Until 30 Nov/,
  );
});

test("a sanction links to its target", () => {
  const of = (kind: string, target: string) => sanctionTarget({ kind, target })?.href;
  expect(of("void_run", "abc")).toBe("/replay/abc");
  expect(of("disqualify", "abc")).toBe("/race/abc");
  expect(of("delete_text", "abc:7")).toBe("/race/abc");
  expect(of("mute", "")).toBeUndefined();
});

test("messages are counted", () => {
  expect(noticesText(1)).toBe("You have a message from the moderators.");
  expect(noticesText(2)).toContain("2 messages");
});
