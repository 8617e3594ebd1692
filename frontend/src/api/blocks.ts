/** The REST calls about whom one does not want to hear. */
import { answerOf, client, doneOf } from "./client";
import type { components } from "./schema";

export type Block = components["schemas"]["Block"];

const of = (name: string) => ({ params: { path: { name } } });

export const blocksApi = {
  all: async (): Promise<readonly Block[]> =>
    (await answerOf(client.GET("/api/v1/account/blocks/"))).results,
  /** Answers with all whom one has blocked. */
  add: async (name: string): Promise<readonly Block[]> =>
    (await answerOf(client.PUT("/api/v1/account/blocks/{name}/", of(name)))).results,
  remove: (name: string) =>
    doneOf(client.DELETE("/api/v1/account/blocks/{name}/", of(name))),
};
