/** The REST calls about people: one's own account, tokens, and everybody's profile. */
import { responseData, client, expectSuccess } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Account = Schemas["Account"];
export type AccountChange = Schemas["PatchedAccountChange"];
export type Preferences = Schemas["Preferences"];
export type Player = Schemas["Player"];
export type FinishedRun = Schemas["RunSummary"];
export type Token = Schemas["Token"];
export type NewToken = Schemas["NewToken"];
export type TokenRequest = Omit<Schemas["TokenBody"], "expires_in_days"> & {
  expires_in_days: number;
};
export type Scope = Schemas["ScopesEnum"];

export interface FinishedRuns {
  results: readonly FinishedRun[];
  next: string | null;
}

const pathOf = (name: string) => ({ params: { path: { name } } });

/** A proof goes along only if it was asked for. */
const passwordBody = (password: string | null) =>
  password === null ? {} : { password };

export const accountsApi = {
  account: () => responseData(client.GET("/api/v1/account/")),
  becomeGuest: () => responseData(client.POST("/api/v1/session/guest/")),
  update: (body: AccountChange) =>
    responseData(client.PATCH("/api/v1/account/", { body })),
  /** Everything of yours, as the text of a file. */
  exportData: (password: string | null) =>
    responseData<string>(
      client.POST("/api/v1/account/export/", {
        body: passwordBody(password),
        parseAs: "text",
      }) as Promise<{ data?: string; error?: unknown; response: Response }>,
    ),
  /** The schema's language gives a DELETE no body; this one takes the proof. */
  deleteAccount: (password: string | null) =>
    expectSuccess(
      client.DELETE("/api/v1/account/", { body: passwordBody(password) as never }),
    ),

  tokens: async () => (await responseData(client.GET("/api/v1/tokens/"))).results,
  createToken: (body: TokenRequest) =>
    responseData(client.POST("/api/v1/tokens/", { body })),
  revokeToken: (token_id: string) =>
    expectSuccess(
      client.DELETE("/api/v1/tokens/{token_id}/", { params: { path: { token_id } } }),
    ),

  player: (name: string) =>
    responseData(client.GET("/api/v1/players/{name}/", pathOf(name))),
  /** The first page of a player's runs, or the page that a page's `next` names. */
  finishedRuns(name: string, next: string | null = null): Promise<FinishedRuns> {
    const cursor = next ? new URL(next, location.origin).searchParams : null;
    const query = Object.fromEntries(cursor ?? []);
    const path = "/api/v1/players/{name}/runs/";
    // The schema does not tell of the cursor, which is the server's own business.
    const options = { params: { path: { name }, query } } as ReturnType<typeof pathOf>;
    return responseData(client.GET(path, options)) as Promise<FinishedRuns>;
  },
};
