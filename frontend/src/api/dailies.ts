/** REST calls: dailies. */
import { responseData, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Daily = Schemas["Daily"];
export type DailyLine = Schemas["DailyLine"];
export type DailyBeacon = Schemas["DailyBeacon"];
export type DailyYou = Schemas["DailyYou"];
export type Band = Schemas["Band"];
export type Share = Schemas["Share"];
export type Year = Schemas["Year"];
export type YearDay = Schemas["YearDay"];
export type Streak = Schemas["Streak"];
export type Badge = Schemas["Badge"];
export type RulesetKey = Daily["ruleset"];
export type DifficultyKey = Daily["difficulty"];

const pathOf = (on: string, ruleset: string) => ({
  params: { path: { on }, query: { ruleset: ruleset as RulesetKey } },
});

export const dailiesApi = {
  /** The daily of a date, or of "today". */
  daily: (on: string, ruleset: string): Promise<Daily> =>
    responseData(client.GET("/api/v1/dailies/{on}/", pathOf(on, ruleset))),
  startAttempt: (on: string, ruleset: string) =>
    responseData(
      client.POST("/api/v1/dailies/{on}/run/", { ...pathOf(on, ruleset), body: {} }),
    ),
  startPractice: (on: string, ruleset: string) =>
    responseData(
      client.POST("/api/v1/dailies/{on}/practice/", {
        ...pathOf(on, ruleset),
        body: {},
      }),
    ),
  share: (on: string, ruleset: string): Promise<Share> =>
    responseData(client.GET("/api/v1/dailies/{on}/share/", pathOf(on, ruleset))),
  /** Opened dailies, newest first; the first page also has the upcoming ones. */
  archive: (ruleset: string, cursor: string | null = null, limit = 20) =>
    responseData(
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
  /** The newest daily before a date; null if there is none. */
  previous: async (ruleset: string, date: string): Promise<DailyLine | null> =>
    (await dailiesApi.archive(ruleset, date, 1)).results[0] ?? null,
  year: (year: number): Promise<Year> =>
    responseData(client.GET("/api/v1/dailies/year/", { params: { query: { year } } })),
  time: async (): Promise<string> =>
    (await responseData(client.GET("/api/v1/time/"))).server_time,
};
