/** The REST calls about keeping order: reports, one's own standing, appeals. */
import { answerOf, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Standing = Schemas["Standing"];
export type Sanction = Schemas["Sanction"];
export type ReportWish = Schemas["ReportBody"];
export type ReportKind = Schemas["ReportKind"];
export type ReportPlace = ReportWish["place"];

export const moderationApi = {
  report: (body: ReportWish) => answerOf(client.POST("/api/v1/reports/", { body })),
  standing: () => answerOf(client.GET("/api/v1/standing/")),
  seen: () => answerOf(client.POST("/api/v1/standing/seen/")),
  appeal: (sanction: string, text: string) =>
    answerOf(client.POST("/api/v1/appeals/", { body: { sanction, text } })),
};
