/** REST calls: leaderboards. */
import { responseData, client } from "./client";
import type { DifficultyKey, RulesetKey } from "./dailies";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Board = Schemas["Board"];
export type BoardKind = Schemas["BoardKind"];
export type BoardKey = BoardKind["board"];
export type BoardValue = BoardKind["value"];
export type Entry = Schemas["Entry"];
export type CurvePoint = Schemas["CurvePoint"];
export type Pool = Board["pool"];

/**
 * One page of one board; `of` is a date, a week or a season, undefined for the current
 * one.
 */
export interface BoardRequest {
  board: BoardKey;
  ruleset: RulesetKey;
  difficulty?: DifficultyKey | undefined;
  of?: string | undefined;
  pool?: Pool | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  around?: "me" | undefined;
}

/** The cursor in the URL of a page's `next`; null on the last page. */
export function cursorOf(next: string | null): string | null {
  return next ? new URL(next, location.origin).searchParams.get("cursor") : null;
}

export const boardsApi = {
  boards: async (): Promise<BoardKind[]> =>
    (await responseData(client.GET("/api/v1/leaderboards/"))).results,
  board: ({ board, ...query }: BoardRequest): Promise<Board> =>
    responseData(
      client.GET("/api/v1/leaderboards/{board}/", {
        // JSON drops undefined fields, which would be sent as empty parameters.
        params: { path: { board }, query: JSON.parse(JSON.stringify(query)) },
      }),
    ),
};
