/** The doors of dailies and boards, one function each. */
import { answerOf, client } from "./api";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Daily = Schemas["Daily"];
export type DailyLine = Schemas["DailyLine"];
export type DailyYou = Schemas["DailyYou"];
export type Band = Schemas["Band"];
export type Board = Schemas["Board"];
export type BoardKind = Schemas["BoardKind"];
export type BoardKey = BoardKind["board"];
export type BoardValue = BoardKind["value"];
export type Entry = Schemas["Entry"];
export type CurvePoint = Schemas["CurvePoint"];
export type Share = Schemas["Share"];
export type Year = Schemas["Year"];
export type YearDay = Schemas["YearDay"];
export type Streak = Schemas["Streak"];
export type Badge = Schemas["Badge"];
export type Pool = Board["pool"];
export type RulesetKey = Daily["ruleset"];
export type DifficultyKey = Daily["difficulty"];

/** Which page of which board; `of` is a date, a week, a season, or none for now. */
export interface BoardAsked {
  board: BoardKey;
  ruleset: RulesetKey;
  difficulty?: DifficultyKey | undefined;
  of?: string | undefined;
  pool?: Pool | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  around?: "me" | undefined;
}

/** The cursor in a page's `next`, which is an address; null where there is no more. */
export function cursorOf(next: string | null): string | null {
  return next ? new URL(next, location.origin).searchParams.get("cursor") : null;
}

const of = (on: string, ruleset: string) => ({
  params: { path: { on }, query: { ruleset: ruleset as RulesetKey } },
});

export const dailyApi = {
  /** A day by its date, or "today". */
  daily: (on: string, ruleset: string): Promise<Daily> =>
    answerOf(client.GET("/api/v1/dailies/{on}/", of(on, ruleset))),
  attempt: (on: string, ruleset: string) =>
    answerOf(
      client.POST("/api/v1/dailies/{on}/run/", { ...of(on, ruleset), body: {} }),
    ),
  practice: (on: string, ruleset: string) =>
    answerOf(
      client.POST("/api/v1/dailies/{on}/practice/", { ...of(on, ruleset), body: {} }),
    ),
  share: (on: string, ruleset: string): Promise<Share> =>
    answerOf(client.GET("/api/v1/dailies/{on}/share/", of(on, ruleset))),
  /** Past and present ones, newest first; with the first page, the seals ahead. */
  archive: (ruleset: string, cursor: string | null = null, limit = 20) =>
    answerOf(
      client.GET("/api/v1/dailies/", {
        params: {
          query: {
            ruleset: ruleset as RulesetKey,
            limit,
            ...(cursor ? { cursor } : {}),
          },
        },
      }),
    ),
  /** The newest day before a date, if there is one. */
  before: async (ruleset: string, date: string): Promise<DailyLine | null> =>
    (await dailyApi.archive(ruleset, date, 1)).results[0] ?? null,
  year: (year: number): Promise<Year> =>
    answerOf(client.GET("/api/v1/dailies/year/", { params: { query: { year } } })),
  boards: async (): Promise<BoardKind[]> =>
    (await answerOf(client.GET("/api/v1/leaderboards/"))).results,
  board: ({ board, ...query }: BoardAsked): Promise<Board> =>
    answerOf(
      client.GET("/api/v1/leaderboards/{board}/", {
        // What is not asked for is left out, not sent empty.
        params: { path: { board }, query: JSON.parse(JSON.stringify(query)) },
      }),
    ),
  time: async (): Promise<string> =>
    (await answerOf(client.GET("/api/v1/time/"))).server_time,
};
