/** Texts of the coach: hints by level, chances, and the best line. */
import type { Hint } from "../api/analysis";
import { nameAndValue } from "../logic/cards";
import { moveName } from "./analysis";
import { capital, list, signed } from "./format";

const thoughts: Record<NonNullable<Hint["theme"]>, string> = {
  avoid: "Compare facing this room with avoiding it.",
  equip: "Look at the weapons before you fight.",
  drink: "Look at your health before you fight.",
  armed: "Your weapon has work to do here. Think about the order.",
  bare: "Think about what a fight without the weapon would spare.",
  lost: "No order of this room is survived. Look for the death that scores best.",
};

/** What the next level of the hint tells, as the label of its button. */
export const hintLabels = [
  "Hint: what to think about",
  "Hint: which card",
  "Hint: which moves",
] as const;

/** The hint in sentences, as far as its level goes. */
export function hintText(hint: Hint): string[] {
  const told: string[] = [];
  if (hint.theme) told.push(thoughts[hint.theme]);
  if (hint.card !== undefined) {
    told.push(
      hint.card === null
        ? "Avoid this room."
        : `Start with the ${nameAndValue(hint.card)}.`,
    );
  }
  if (hint.plan) told.push(`${capital(list(hint.plan.map(moveName)))}.`);
  return told;
}

/** "About 24 %, give or take 3: ..."; the error is the standard error, doubled. */
export function chanceText(hint: Hint): string {
  const percent = Math.round((hint.chance ?? 0) * 100);
  const error = Math.max(1, Math.round((hint.chance_error ?? 0) * 200));
  return `About ${percent} %, give or take ${error}: how often a simple player clears the dungeon from here.`;
}

/** The best score of an open seed, and the next moves of the line that reaches it. */
export function lineText(
  best: number,
  proven: boolean,
  line: readonly string[],
): string {
  const score = `Best score from here: ${signed(best)}${proven ? "" : ", or more"}.`;
  if (line.length === 0) return score;
  const next = line.slice(0, 3).map(moveName);
  return `${score} Next: ${next.join(", then ")}${line.length > 3 ? " …" : "."}`;
}
