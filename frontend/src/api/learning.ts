/** REST calls: the guided dungeon and the worked examples of the rules. */
import { responseData, client } from "./client";
import type { Effect } from "./runs";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Lesson = Omit<Schemas["Lesson"], "effects"> & { effects: Effect[] };
export type RulesGuide = Schemas["RulesGuide"];
export type Example = Schemas["Example"];
export type ExamplePosition = Omit<Schemas["ExamplePosition"], "effects"> & {
  effects: Effect[];
};

export const learningApi = {
  lesson: (moves: string[]) =>
    responseData(
      client.POST("/api/v1/lesson/", { body: { moves } }),
    ) as Promise<Lesson>,
  rulesGuide: (): Promise<RulesGuide> => responseData(client.GET("/api/v1/rules/")),
  example: (example: string, ruleset: string, moves: string[]) =>
    responseData(
      client.POST("/api/v1/rules/examples/{example}/", {
        params: { path: { example } },
        body: { ruleset, moves },
      }),
    ) as Promise<ExamplePosition>,
};
