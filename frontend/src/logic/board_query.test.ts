import { expect, it } from "vitest";
import { defaultBoardQuery, formatBoardQuery, parseBoardQuery } from "./board_query";

it("parses what it formats", () => {
  const query = {
    board: "best",
    ruleset: "bound-1",
    difficulty: "hard",
    of: "",
    pool: "bots",
  } as const;
  expect(parseBoardQuery(formatBoardQuery(query))).toEqual(query);
  expect(formatBoardQuery(query)).toBe(
    "?board=best&ruleset=bound-1&difficulty=hard&pool=bots",
  );
  expect(formatBoardQuery(defaultBoardQuery)).toBe("");
  const day = { ...defaultBoardQuery, of: "2026-11-29" };
  expect(parseBoardQuery(formatBoardQuery(day))).toEqual(day);
});

it("ignores invalid values", () => {
  expect(parseBoardQuery("?board=worst&of=yesterday&pool=cats&x=1")).toEqual(
    defaultBoardQuery,
  );
});
