/** Texts of the rules page about worked examples. */
import type { Example } from "../api/learning";
import { list, signed } from "./format";

type Line = Example["lines"][number];
type Outcome = Omit<Line["outcomes"][number], "ruleset" | "status"> & {
  ruleset: string;
  status: string;
};

function outcomeText(outcome: Outcome): string {
  if (outcome.refused !== null) return `not allowed. ${outcome.refused}`;
  const health = `${Math.max(0, outcome.health)} health left`;
  if (outcome.score === null) return `${health}.`;
  const score = `score ${signed(outcome.score)}`;
  return outcome.status === "died" ? `dead, ${score}.` : `${health}, ${score}.`;
}

/**
 * What a line comes to: one result for all rulesets (`names` is empty), or one for each
 * group of rulesets that agree.
 */
export function lineResults(
  line: { outcomes: readonly Outcome[] },
  nameOf: (key: string) => string,
): { names: string; text: string }[] {
  const groups = new Map<string, string[]>();
  for (const outcome of line.outcomes) {
    const text = outcomeText(outcome);
    groups.set(text, [...(groups.get(text) ?? []), nameOf(outcome.ruleset)]);
  }
  return [...groups].map(([text, names]) => ({
    names: groups.size === 1 ? "" : list(names),
    text,
  }));
}
