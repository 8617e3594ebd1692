import { expect, it } from "vitest";
import { cardSegments, plainCardText } from "./card_text";

it("separates the names of cards from the words", () => {
  expect(cardSegments("Fight the [9C], then [TD].")).toEqual([
    { text: "Fight the ", card: null },
    { text: "orc 9", card: "9C" },
    { text: ", then ", card: null },
    { text: "greatsword 10", card: "TD" },
    { text: ".", card: null },
  ]);
  expect(plainCardText("[4H] and [4H]")).toBe("honey 4 and honey 4");
  expect(cardSegments("no card [XX]")).toEqual([{ text: "no card [XX]", card: null }]);
});
