/** Texts of moderation. They say what happened, without blame. */
import type { ReportKind, ReportPlace, Standing } from "../api/moderation";

export const reportKinds: readonly (readonly [ReportKind, string])[] = [
  ["cheating", "Unfair play"],
  ["second_account", "More than one account"],
  ["collusion", "Helping each other in a race"],
  ["stalling", "Delaying a race"],
  ["chat", "A chat message"],
  ["name", "The name"],
  ["other", "Something else"],
];
export const reportKindText = (kind: string): string =>
  reportKinds.find(([key]) => key === kind)?.[1] ?? "Something else";

/** The preselected kind of a report, by the place it is made from. */
export const defaultReportKind: Record<ReportPlace, ReportKind> = {
  profile: "other",
  race: "stalling",
  chat: "chat",
  run: "cheating",
  name: "name",
};

const standingTexts: Record<Standing["standing"], string> = {
  good: "Your account has no restrictions.",
  limited: "Some features are restricted for now.",
  suspended: "You can watch, but not play, for now.",
  banned: "This account is banned from playing.",
};
export const standingText = (standing: Standing["standing"]): string =>
  standingTexts[standing];

const instants = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
/** "3 May 2026 at 14:05", in local time. */
export const instant = (when: string): string => instants.format(Date.parse(when));

/** When a sanction ends, or how it ended. */
export function sanctionEnd(one: {
  until: string | null;
  in_force: boolean;
  lifted_at: string | null;
}): string {
  if (one.lifted_at) return `Lifted on ${instant(one.lifted_at)}.`;
  if (one.until) return `${one.in_force ? "Until" : "Ended"} ${instant(one.until)}.`;
  return "";
}

/** A link to what a sanction is about; null if there is nothing to show. */
export function sanctionTarget(one: {
  kind: string;
  target: string;
}): { href: string; name: string } | null {
  const id = one.target.split(":")[0] ?? "";
  if (one.kind === "void_run") return { href: `/replay/${id}`, name: "The run" };
  if (one.kind === "disqualify" || one.kind === "delete_text") {
    return { href: `/race/${id}`, name: "The race" };
  }
  return null;
}

/** Why and until when a restriction refuses a request. */
export function restrictionText(body: Readonly<Record<string, unknown>>): string {
  const why = typeof body.words === "string" ? body.words : "";
  const until = typeof body.until === "string" ? `Until ${instant(body.until)}.` : "";
  return [why, until].filter(Boolean).join(" ");
}

/** "You have a message from the moderators." */
export const noticesText = (count: number): string =>
  count === 1
    ? "You have a message from the moderators."
    : `You have ${count} messages from the moderators.`;
