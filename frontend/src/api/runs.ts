/**
 * REST calls: rulesets, runs and replays, with the types they share with other modules.
 */
import { responseData, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Difficulty = Schemas["Difficulty"];
export type LegalMove = Schemas["LegalMove"];
export type Part = Schemas["Part"];
export type Ruleset = Schemas["Ruleset"];
export type NewRun = Schemas["StartRunBody"];
export type Run = Schemas["Run"];
export type RunStatus = Schemas["RunStatus"];
export type Weapon = Schemas["Weapon"];
/** What the table shows: the fields that a run and a replay step share. */
export type Table = Schemas["Table"];

/**
 * An effect of a move. The schema has one loose type; `kind` tells the variants apart.
 */
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
  /** The first page of the player's own runs, newest first. */
  runs: async () => (await responseData(client.GET("/api/v1/runs/"))).results,
  run: (id: string) => responseData(client.GET("/api/v1/runs/{run_id}/", pathOf(id))),
  startRun: (body: NewRun) => responseData(client.POST("/api/v1/runs/", { body })),
  move: (id: string, body: { index: number; move: string; key: string }) =>
    responseData(
      client.POST("/api/v1/runs/{run_id}/moves/", { ...pathOf(id), body }),
    ) as Promise<MoveAnswer>,
  undo: (id: string, index: number) =>
    responseData(
      client.POST("/api/v1/runs/{run_id}/undo/", { ...pathOf(id), body: { index } }),
    ),
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
