import { expect, it } from "vitest";
import { aMoveReview, aReview } from "../fixtures/reviews";
import type { Review } from "../api/analysis";
import { chanceText, lossText, moveName, queueText, reviewSummary } from "./analysis";

it("names moves", () => {
  expect(["8Cw", "QSb", "5D", "7H", "avoid"].map(moveName)).toEqual([
    "fight the ghoul 8 armed",
    "fight the witch 12 bare-handed",
    "take up the hatchet 5",
    expect.stringMatching(/^drink the .+ 7$/),
    "avoid the room",
  ]);
});

it("says how many analyses come first", () => {
  expect([1, 2, 5, null].map(queueText)).toEqual([
    "Waiting for the analysis to start. Yours is next.",
    "Waiting: 1 analysis is before yours. Players take turns.",
    "Waiting: 4 analyses are before yours. Players take turns.",
    "Waiting for the analysis to start. Yours is next.",
  ]);
});

it("describes the loss of a move", () => {
  expect(lossText(aMoveReview())).toBe("With all cards known: no points lost.");
  expect(lossText(aMoveReview({ loss: 1, value_after: 11 }))).toBe(
    "With all cards known: 1 point lost; 11 was the best score left.",
  );
  expect(lossText(aMoveReview({ loss: 52, value_after: -40 }))).toBe(
    "With all cards known: after this move the dungeon could not be cleared; before it, 12 was possible.",
  );
});

it("describes the change of the chance, or that it was not measured", () => {
  expect(chanceText(aMoveReview())).toContain(
    "no better move; the chance to clear the dungeon was 40 %",
  );
  const move = aReview().moves?.[1] ?? aMoveReview();
  expect(chanceText(move)).toBe(
    "With the cards you could know: the chance to clear the dungeon went from 40 % to 31 % (−9 ± 2).",
  );
  expect(chanceText(aMoveReview({ chance_before: null }))).toContain("not computed");
});

it("summarises a review", () => {
  const review = aReview() as Review;
  expect(reviewSummary(review)).toBe(
    "12 was the best possible score; the run scored −40. Accuracy: 50 %.",
  );
  const other = { ...review, proven: false, given_up: 3, accuracy: null };
  expect(reviewSummary(other)).toBe(
    "At least 12 was possible; the run scored −40." +
      " When it was abandoned, 3 points more were still possible.",
  );
});
