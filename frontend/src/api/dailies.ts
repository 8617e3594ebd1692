/** The REST calls about dailies. */
import { answerOf, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Daily = Schemas["Daily"];
export type DailyLine = Schemas["DailyLine"];
export type DailyYou = Schemas["DailyYou"];
export type Band = Schemas["Band"];
export type Share = Schemas["Share"];
export type Year = Schemas["Year"];
export type YearDay = Schemas["YearDay"];
export type Streak = Schemas["Streak"];
export type Badge = Schemas["Badge"];
export type RulesetKey = Daily["ruleset"];
export type DifficultyKey = Daily["difficulty"];

const of = (on: string, ruleset: string) => ({
  params: { path: { on }, query: { ruleset: ruleset as RulesetKey } },
});

export const dailiesApi = {
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
    (await dailiesApi.archive(ruleset, date, 1)).results[0] ?? null,
  year: (year: number): Promise<Year> =>
    answerOf(client.GET("/api/v1/dailies/year/", { params: { query: { year } } })),
  time: async (): Promise<string> =>
    (await answerOf(client.GET("/api/v1/time/"))).server_time,
};
