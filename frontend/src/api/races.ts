/** REST calls: races and matchmaking. They also stand in for the socket. */
import { responseData, client, expectSuccess } from "./client";
import type { components } from "./schema";
import type { MoveAnswer } from "./runs";

type Schemas = components["schemas"];

export type Race = Schemas["Race"];
export type Entrant = Schemas["Entrant"];
export type EntrantState = Entrant["state"];
export type LobbyRace = Schemas["LobbyRace"];
export type Match = Schemas["Match"];
export type RaceRequest = Schemas["RaceBody"];
export type ChatMessage = Schemas["ChatMessage"];
export type RaceFormat = Race["format"];

/** An event of a race; `kind` decides which other fields it has. */
export interface RaceEvent {
  seq: number;
  kind: string;
  at: string;
  [field: string]: unknown;
}

const actionPaths = {
  join: "/api/v1/races/{race_id}/join/",
  leave: "/api/v1/races/{race_id}/leave/",
  ready: "/api/v1/races/{race_id}/ready/",
  unready: "/api/v1/races/{race_id}/unready/",
  start: "/api/v1/races/{race_id}/start/",
  forfeit: "/api/v1/races/{race_id}/forfeit/",
  unforfeit: "/api/v1/races/{race_id}/unforfeit/",
  close: "/api/v1/races/{race_id}/close/",
} as const;
export type RaceAction = keyof typeof actionPaths;

const pathOf = (race_id: string) => ({ params: { path: { race_id } } });
const sincePath = (race_id: string, since: number) => ({
  params: { path: { race_id }, query: { since } },
});

export const racesApi = {
  /** The first page of public races that are open or running. */
  lobby: async (): Promise<LobbyRace[]> =>
    (await responseData(client.GET("/api/v1/races/"))).results,
  create: (body: RaceRequest) => responseData(client.POST("/api/v1/races/", { body })),
  race: (id: string) =>
    responseData(client.GET("/api/v1/races/{race_id}/", pathOf(id))),
  action: (id: string, action: RaceAction): Promise<Race> =>
    responseData(client.POST(actionPaths[action], pathOf(id))),
  remove: (id: string, seat: number): Promise<Race> =>
    responseData(
      client.POST("/api/v1/races/{race_id}/remove/", {
        ...pathOf(id),
        body: { seat },
      }),
    ),
  rematch: async (id: string): Promise<string> =>
    (await responseData(client.POST("/api/v1/races/{race_id}/rematch/", pathOf(id))))
      .race_id,
  move: (id: string, body: { index: number; move: string; key: string }) =>
    responseData(
      client.POST("/api/v1/races/{race_id}/moves/", { ...pathOf(id), body }),
    ) as Promise<MoveAnswer>,
  events: async (id: string, since = 0): Promise<RaceEvent[]> =>
    (
      await responseData(
        client.GET("/api/v1/races/{race_id}/events/", sincePath(id, since)),
      )
    ).results as RaceEvent[],
  chat: (id: string, since = 0) =>
    responseData(client.GET("/api/v1/races/{race_id}/chat/", sincePath(id, since))),
  say: (id: string, text: string): Promise<ChatMessage> =>
    responseData(
      client.POST("/api/v1/races/{race_id}/chat/", { ...pathOf(id), body: { text } }),
    ),

  match: () => responseData(client.GET("/api/v1/matchmaking/")),
  seek: (body: Partial<Schemas["MatchBody"]>) =>
    responseData(
      client.PUT("/api/v1/matchmaking/", { body: body as Schemas["MatchBody"] }),
    ),
  stopMatchmaking: () => expectSuccess(client.DELETE("/api/v1/matchmaking/")),
};
