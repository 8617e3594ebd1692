import { expect, it } from "vitest";
import { defaultBoardQuery, formatBoardQuery, parseBoardQuery } from "./board_query";

it("is there and back the same", () => {
  const wish = {
    board: "best",
    ruleset: "bound-1",
    difficulty: "hard",
    of: "",
    pool: "bots",
  } as const;
  expect(parseBoardQuery(formatBoardQuery(wish))).toEqual(wish);
  expect(formatBoardQuery(wish)).toBe(
    "?board=best&ruleset=bound-1&difficulty=hard&pool=bots",
  );
  expect(formatBoardQuery(defaultBoardQuery)).toBe("");
  const day = { ...defaultBoardQuery, of: "2026-11-29" };
  expect(parseBoardQuery(formatBoardQuery(day))).toEqual(day);
});

it("forgives what is no board's", () => {
  expect(parseBoardQuery("?board=worst&of=yesterday&pool=cats&x=1")).toEqual(
    defaultBoardQuery,
  );
});
