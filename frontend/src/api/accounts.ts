/** The REST calls about people: one's own account, tokens, and everybody's profile. */
import { answerOf, client, doneOf } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Account = Schemas["Account"];
export type AccountChange = Schemas["PatchedAccountChange"];
export type Preferences = Schemas["Preferences"];
export type Player = Schemas["Player"];
export type PastRun = Schemas["RunSummary"];
export type Token = Schemas["Token"];
export type NewToken = Schemas["NewToken"];
export type TokenWish = Omit<Schemas["TokenAsked"], "expires_in_days"> & {
  expires_in_days: number;
};
export type Scope = Schemas["ScopesEnum"];

export interface PastRuns {
  results: readonly PastRun[];
  next: string | null;
}

const named = (name: string) => ({ params: { path: { name } } });

/** A proof goes along only if it was asked for. */
const proof = (password: string | null) => (password === null ? {} : { password });

export const accountsApi = {
  account: () => answerOf(client.GET("/api/v1/account/")),
  becomeGuest: () => answerOf(client.POST("/api/v1/session/guest/")),
  change: (body: AccountChange) => answerOf(client.PATCH("/api/v1/account/", { body })),
  /** Everything of yours, as the text of a file. */
  exportAll: (password: string | null) =>
    answerOf<string>(
      client.POST("/api/v1/account/export/", {
        body: proof(password),
        parseAs: "text",
      }) as Promise<{ data?: string; error?: unknown; response: Response }>,
    ),
  /** The schema's language gives a DELETE no body; this one takes the proof. */
  leave: (password: string | null) =>
    doneOf(client.DELETE("/api/v1/account/", { body: proof(password) as never })),

  tokens: async () => (await answerOf(client.GET("/api/v1/tokens/"))).results,
  makeToken: (body: TokenWish) => answerOf(client.POST("/api/v1/tokens/", { body })),
  revokeToken: (token_id: string) =>
    doneOf(
      client.DELETE("/api/v1/tokens/{token_id}/", { params: { path: { token_id } } }),
    ),

  player: (name: string) =>
    answerOf(client.GET("/api/v1/players/{name}/", named(name))),
  /** The first page of a player's runs, or the page that a page's `next` names. */
  runsOf(name: string, next: string | null = null): Promise<PastRuns> {
    const cursor = next ? new URL(next, location.origin).searchParams : null;
    const query = Object.fromEntries(cursor ?? []);
    const path = "/api/v1/players/{name}/runs/";
    // The schema does not tell of the cursor, which is the server's own business.
    const options = { params: { path: { name }, query } } as ReturnType<typeof named>;
    return answerOf(client.GET(path, options)) as Promise<PastRuns>;
  },
};
