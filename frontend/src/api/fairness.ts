/** REST calls: the chain of published commitments and its signed heads. */
import { client, responseData, responseText } from "./client";
import type { components } from "./schema";

export type Fairness = components["schemas"]["Fairness"];
export type CommitmentKind = components["schemas"]["CommitmentKind"];

export const fairnessApi = {
  /** The heads of both chains, signed now. */
  heads: (): Promise<Fairness> => responseData(client.GET("/api/v1/fairness/")),
  /** The entries after a number as lines of JSON; "" if there are none. */
  lines: (after: number, limit: number): Promise<string> =>
    responseText(
      client.GET("/api/v1/fairness/chain/", {
        params: { query: { after, limit } },
        parseAs: "text",
      }),
    ),
};
