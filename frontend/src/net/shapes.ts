/** The API's shapes, as generated, under the names the pages use. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Difficulty = Schemas["Difficulty"];
export type LegalMove = Schemas["LegalMove"];
export type Part = Schemas["Part"];
export type Ruleset = Schemas["Ruleset"];
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

type Told<T> = Omit<T, "effects"> & { effects: Effect[] };
export type MoveAnswer = Told<Schemas["MoveAnswer"]>;
export type ReplayMove = Told<Schemas["ReplayMove"]>;
export type Replay = Omit<Schemas["Replay"], "moves"> & { moves: ReplayMove[] };
