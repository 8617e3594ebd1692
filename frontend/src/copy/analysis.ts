/** Texts of a review: what a move cost, and what was better. */
import type { MoveReview, Review } from "../api/analysis";
import { card, cardOfMove, nameAndValue } from "../logic/cards";
import { change, signed } from "./format";

/** "fight the ghoul 8 armed", "take up the hatchet 5". */
export function moveName(move: string): string {
  const code = cardOfMove(move);
  if (code === null) return "avoid the room";
  const what = `the ${nameAndValue(code)}`;
  const { role } = card(code);
  if (role === "weapon") return `take up ${what}`;
  if (role === "potion") return `drink ${what}`;
  return `fight ${what} ${move.endsWith("w") ? "armed" : "bare-handed"}`;
}

/** How long an analysis waits: players take turns. */
export function queueText(position: number | null): string {
  const ahead = (position ?? 1) - 1;
  if (ahead === 0) return "Waiting for the analysis to start. Yours is next.";
  const others = ahead === 1 ? "1 analysis is" : `${ahead} analyses are`;
  return `Waiting: ${others} before yours. Players take turns.`;
}

/** "1 point", "7 points". */
export const points = (count: number): string =>
  count === 1 ? "1 point" : `${count} points`;

/** What a move lost, with the order of the cards known. */
export function lossText(move: MoveReview): string {
  if (move.loss <= 0) return "With all cards known: no points lost.";
  if (move.value_before > 0 && move.value_after <= 0) {
    return (
      "With all cards known: after this move the dungeon could not be cleared; " +
      `before it, ${move.value_before} was possible.`
    );
  }
  const left = `${signed(move.value_after)} was the best score left`;
  return `With all cards known: ${points(move.loss)} lost; ${left}.`;
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

/**
 * How a move changed the chance to clear the dungeon, with the cards known at that
 * time.
 */
export function chanceText(move: MoveReview): string {
  const { chance_before, chance_after, chance_change, chance_error } = move;
  if (
    chance_before === null ||
    chance_after === null ||
    chance_change === null ||
    chance_error === null
  ) {
    return "With the cards you could know: not computed in time.";
  }
  const prefix = "With the cards you could know";
  // The difference of the rounded values, so that the sentence adds up.
  const difference = Math.round(chance_after * 100) - Math.round(chance_before * 100);
  if (chance_change === 0 && chance_error === 0) {
    return `${prefix}: no better move; the chance to clear the dungeon was ${percent(chance_after)}.`;
  }
  const error = Math.max(1, Math.round(chance_error * 100));
  return (
    `${prefix}: the chance to clear the dungeon went from ${percent(chance_before)} ` +
    `to ${percent(chance_after)} (${change(difference)} ± ${error}).`
  );
}

/** The review of a run in one or two sentences. */
export function reviewSummary(review: Review): string {
  const best = signed(review.best);
  const bestText = review.proven
    ? `${best} was the best possible score`
    : `At least ${best} was possible`;
  const accuracyText =
    review.accuracy === null ? "" : ` Accuracy: ${percent(review.accuracy)}.`;
  const score = `${bestText}; the run scored ${signed(review.final_score)}.`;
  const givenUpText =
    review.given_up > 0
      ? ` When it was abandoned, ${points(review.given_up)} more were still possible.`
      : "";
  return score + givenUpText + accuracyText;
}
