import { expect, it } from "vitest";
import { plainWish, queryOf, wishOf } from "./board_query";

it("is there and back the same", () => {
  const wish = {
    board: "best",
    ruleset: "bound-1",
    difficulty: "hard",
    of: "",
    pool: "bots",
  } as const;
  expect(wishOf(queryOf(wish))).toEqual(wish);
  expect(queryOf(wish)).toBe("?board=best&ruleset=bound-1&difficulty=hard&pool=bots");
  expect(queryOf(plainWish)).toBe("");
  const day = { ...plainWish, of: "2026-11-29" };
  expect(wishOf(queryOf(day))).toEqual(day);
});

it("forgives what is no board's", () => {
  expect(wishOf("?board=worst&of=yesterday&pool=cats&x=1")).toEqual(plainWish);
});
