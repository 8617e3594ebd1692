/** REST calls: a run's review, what-if positions and solutions. */
import { responseData, client } from "./client";
import type { components } from "./schema";
import type { Effect } from "./runs";

type Schemas = components["schemas"];

export type ReviewState = Schemas["Review"];
export type MoveReview = Schemas["MoveReview"];
export type TurningPoint = Schemas["TurningPoint"];
export type Observation = Schemas["Observation"];
export type Coach = Schemas["Coach"];
export type Hint = Schemas["Hint"];
export type Solution = Schemas["Solution"];
export type WhatIfAnswer = Omit<Schemas["WhatIf"], "effects"> & { effects: Effect[] };
/** A finished review: every field is present. */
export type Review = Required<ReviewState>;

export interface Position {
  /** The number of replay moves before the position. */
  index: number;
  /** The moves played from there instead. */
  moves: string[];
}

const pathOf = (run_id: string) => ({ params: { path: { run_id } } });

export const analysisApi = {
  review: (run: string): Promise<ReviewState> =>
    responseData(client.GET("/api/v1/runs/{run_id}/review/", pathOf(run))),
  requestReview: (run: string): Promise<ReviewState> =>
    responseData(client.POST("/api/v1/runs/{run_id}/review/", pathOf(run))),
  whatIf: (run: string, body: Position) =>
    responseData(
      client.POST("/api/v1/runs/{run_id}/what-if/", { ...pathOf(run), body }),
    ) as Promise<WhatIfAnswer>,
  coach: (run: string): Promise<Coach> =>
    responseData(client.GET("/api/v1/runs/{run_id}/coach/", pathOf(run))),
  hint: (run: string, level: number): Promise<Hint> =>
    responseData(
      client.POST("/api/v1/runs/{run_id}/hint/", { ...pathOf(run), body: { level } }),
    ),
  solve: (run: string, body: Position): Promise<Solution> =>
    responseData(client.POST("/api/v1/runs/{run_id}/solve/", { ...pathOf(run), body })),
};
