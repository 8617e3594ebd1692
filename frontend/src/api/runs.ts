/** The API's shapes, as generated, under the names the pages use. */
import { responseData, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Difficulty = Schemas["Difficulty"];
export type LegalMove = Schemas["LegalMove"];
export type Part = Schemas["Part"];
export type Ruleset = Schemas["Ruleset"];
export type NewRun = Schemas["RunAsked"];
export type Run = Schemas["Run"];
export type RunStatus = Schemas["RunStatus"];
export type Weapon = Schemas["Weapon"];
/** What a table shows: the common part of a run and of a step of a replay. */
export type Table = Schemas["Table"];

/** What a move did. The schema gives one loose shape; `kind` says which it is. */
export type Effect =
  | { kind: "fought"; card: string; armed: boolean; damage: number; health: number }
  | { kind: "equipped"; card: string; discarded: string[] }
  | { kind: "healed"; card: string; amount: number; health: number }
  | { kind: "wasted"; card: string }
  | { kind: "avoided"; cards: string[] }
  | { kind: "dealt"; cards: string[] }
  | { kind: "died"; card: string }
  | { kind: "cleared" };

type WithEffects<T> = Omit<T, "effects"> & { effects: Effect[] };
export type MoveAnswer = WithEffects<Schemas["MoveAnswer"]>;
export type ReplayMove = WithEffects<Schemas["ReplayMove"]>;
export type Replay = Omit<Schemas["Replay"], "moves"> & { moves: ReplayMove[] };

const pathOf = (run_id: string) => ({ params: { path: { run_id } } });

export const runsApi = {
  rulesets: async () => (await responseData(client.GET("/api/v1/rulesets/"))).results,
  /** Your own runs, newest first: the first page of them. */
  runs: async () => (await responseData(client.GET("/api/v1/runs/"))).results,
  run: (id: string) => responseData(client.GET("/api/v1/runs/{run_id}/", pathOf(id))),
  startRun: (body: NewRun) => responseData(client.POST("/api/v1/runs/", { body })),
  move: (id: string, body: { index: number; move: string; key: string }) =>
    responseData(
      client.POST("/api/v1/runs/{run_id}/moves/", { ...pathOf(id), body }),
    ) as Promise<MoveAnswer>,
  abandon: (id: string) =>
    responseData(client.POST("/api/v1/runs/{run_id}/abandon/", pathOf(id))),
  replay: (id: string) =>
    responseData(
      client.GET("/api/v1/runs/{run_id}/replay/", pathOf(id)),
    ) as Promise<Replay>,
  /** The whole run as plain text, to save or to paste. */
  recordText: (id: string) =>
    responseData<string>(
      client.GET("/api/v1/runs/{run_id}/replay/", {
        ...pathOf(id),
        headers: { Accept: "text/plain" },
        parseAs: "text",
      }),
    ),
};
