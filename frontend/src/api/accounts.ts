/** REST calls: the own account, API tokens and player profiles. */
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

/** The password is sent only where the server asked for it. */
const passwordBody = (password: string | null) =>
  password === null ? {} : { password };

export const accountsApi = {
  account: () => responseData(client.GET("/api/v1/account/")),
  becomeGuest: () => responseData(client.POST("/api/v1/session/guest/")),
  update: (body: AccountChange) =>
    responseData(client.PATCH("/api/v1/account/", { body })),
  /** All data of the account, as the text of a JSON file. */
  exportData: (password: string | null) =>
    responseData<string>(
      client.POST("/api/v1/account/export/", {
        body: passwordBody(password),
        parseAs: "text",
      }) as Promise<{ data?: string; error?: unknown; response: Response }>,
    ),
  /**
   * OpenAPI describes no body for DELETE, but this route reads the password from it.
   */
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
  /** The first page of a player's finished runs, or the page at `next`. */
  finishedRuns(name: string, next: string | null = null): Promise<FinishedRuns> {
    const cursor = next ? new URL(next, location.origin).searchParams : null;
    const query = Object.fromEntries(cursor ?? []);
    const path = "/api/v1/players/{name}/runs/";
    // The cursor is not in the schema.
    const options = { params: { path: { name }, query } } as ReturnType<typeof pathOf>;
    return responseData(client.GET(path, options)) as Promise<FinishedRuns>;
  },
};
