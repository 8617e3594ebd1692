import { expect, it } from "vitest";
import { lineResults } from "./learning";

const outcome = (ruleset: string, more = {}) => ({
  ruleset,
  status: "cleared" as const,
  health: 20,
  score: 27,
  refused: null,
  ...more,
});
const line = (...outcomes: ReturnType<typeof outcome>[]) => ({
  title: "Drink it",
  moves: ["7H"],
  outcomes,
});

it("says a result once where all rulesets agree", () => {
  const found = lineResults(line(outcome("tavern-1"), outcome("flee-1")), String);
  expect(found).toEqual([{ names: "", text: "20 health left, score 27." }]);
});

it("groups the rulesets that agree", () => {
  const found = lineResults(
    line(outcome("tavern-1"), outcome("bound-1", { score: 20 }), outcome("flee-1")),
    (key) => key.replace("-1", ""),
  );
  expect(found).toEqual([
    { names: "tavern and flee", text: "20 health left, score 27." },
    { names: "bound", text: "20 health left, score 20." },
  ]);
});

it("says what is not allowed, deaths, and runs that go on", () => {
  const texts = lineResults(
    line(
      outcome("a", { refused: "No weapon.", score: null }),
      outcome("b", { status: "died", health: -6, score: -24 }),
      outcome("c", { status: "playing", health: 13, score: null }),
    ),
    String,
  ).map((result) => result.text);
  expect(texts).toEqual([
    "not allowed. No weapon.",
    "dead, score −24.",
    "13 health left.",
  ]);
});
