/** The doors of races, one function each; what a socket does, they do too. */
import { answerOf, client, doneOf } from "./client";
import type { components } from "./schema";
import type { MoveAnswer } from "./runs";

type Schemas = components["schemas"];

export type Race = Schemas["Race"];
export type Entrant = Schemas["Entrant"];
export type EntrantState = Entrant["state"];
export type LobbyRace = Schemas["LobbyRace"];
export type Match = Schemas["Match"];
export type RaceAsked = Schemas["RaceBody"];
export type ChatMessage = Schemas["ChatMessage"];
export type RaceFormat = Race["format"];

/** An event as it is told: `kind` says which further fields there are. */
export interface RaceNews {
  seq: number;
  kind: string;
  at: string;
  [field: string]: unknown;
}

const acts = {
  join: "/api/v1/races/{race_id}/join/",
  leave: "/api/v1/races/{race_id}/leave/",
  ready: "/api/v1/races/{race_id}/ready/",
  unready: "/api/v1/races/{race_id}/unready/",
  start: "/api/v1/races/{race_id}/start/",
  forfeit: "/api/v1/races/{race_id}/forfeit/",
  unforfeit: "/api/v1/races/{race_id}/unforfeit/",
} as const;
export type Act = keyof typeof acts;

const of = (race_id: string) => ({ params: { path: { race_id } } });
const after = (race_id: string, since: number) => ({
  params: { path: { race_id }, query: { since } },
});

export const racesApi = {
  /** Public races that are open or live, newest first: the first page of them. */
  lobby: async (): Promise<LobbyRace[]> =>
    (await answerOf(client.GET("/api/v1/races/"))).results,
  make: (body: RaceAsked) => answerOf(client.POST("/api/v1/races/", { body })),
  race: (id: string) => answerOf(client.GET("/api/v1/races/{race_id}/", of(id))),
  act: (id: string, act: Act): Promise<Race> =>
    answerOf(client.POST(acts[act], of(id))),
  rematch: async (id: string): Promise<string> =>
    (await answerOf(client.POST("/api/v1/races/{race_id}/rematch/", of(id)))).race_id,
  move: (id: string, body: { index: number; move: string; key: string }) =>
    answerOf(
      client.POST("/api/v1/races/{race_id}/moves/", { ...of(id), body }),
    ) as Promise<MoveAnswer>,
  events: async (id: string, since = 0): Promise<RaceNews[]> =>
    (await answerOf(client.GET("/api/v1/races/{race_id}/events/", after(id, since))))
      .results as RaceNews[],
  chat: (id: string, since = 0) =>
    answerOf(client.GET("/api/v1/races/{race_id}/chat/", after(id, since))),
  say: (id: string, text: string): Promise<ChatMessage> =>
    answerOf(
      client.POST("/api/v1/races/{race_id}/chat/", { ...of(id), body: { text } }),
    ),

  match: () => answerOf(client.GET("/api/v1/matchmaking/")),
  seek: (body: Partial<Schemas["MatchBody"]>) =>
    answerOf(
      client.PUT("/api/v1/matchmaking/", { body: body as Schemas["MatchBody"] }),
    ),
  stopSeeking: () => doneOf(client.DELETE("/api/v1/matchmaking/")),
};
