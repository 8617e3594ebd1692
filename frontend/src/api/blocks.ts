/** REST calls: blocked players. */
import { responseData, client, expectSuccess } from "./client";
import type { components } from "./schema";

export type Block = components["schemas"]["Block"];

const pathOf = (name: string) => ({ params: { path: { name } } });

export const blocksApi = {
  all: async (): Promise<readonly Block[]> =>
    (await responseData(client.GET("/api/v1/account/blocks/"))).results,
  /** Returns all blocked players. */
  add: async (name: string): Promise<readonly Block[]> =>
    (await responseData(client.PUT("/api/v1/account/blocks/{name}/", pathOf(name))))
      .results,
  remove: (name: string) =>
    expectSuccess(client.DELETE("/api/v1/account/blocks/{name}/", pathOf(name))),
};
