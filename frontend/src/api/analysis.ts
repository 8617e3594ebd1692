/** The doors of the analysis: a run's review, what if, and solutions. */
import { responseData, client } from "./client";
import type { components } from "./schema";
import type { Effect } from "./runs";

type Schemas = components["schemas"];

export type ReviewState = Schemas["Review"];
export type MoveReview = Schemas["MoveReview"];
export type TurningPoint = Schemas["TurningPoint"];
export type Observation = Schemas["Observation"];
export type Solution = Schemas["Solution"];
export type WhatIfAnswer = Omit<Schemas["WhatIf"], "effects"> & { effects: Effect[] };
/** A review that is done: all of it is there. */
export type Review = Required<ReviewState>;

export interface Position {
  /** How many moves of the replay come before. */
  index: number;
  /** What is played instead from there. */
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
  solve: (run: string, body: Position): Promise<Solution> =>
    responseData(client.POST("/api/v1/runs/{run_id}/solve/", { ...pathOf(run), body })),
};
