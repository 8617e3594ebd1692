/** REST calls: reports, the own standing and appeals. */
import { responseData, client } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Standing = Schemas["Standing"];
export type Sanction = Schemas["Sanction"];
export type ReportRequest = Schemas["ReportBody"];
export type ReportKind = Schemas["ReportKind"];
export type ReportPlace = ReportRequest["place"];

export const moderationApi = {
  report: (body: ReportRequest) =>
    responseData(client.POST("/api/v1/reports/", { body })),
  standing: () => responseData(client.GET("/api/v1/standing/")),
  markNoticesSeen: () => responseData(client.POST("/api/v1/standing/seen/")),
  appeal: (sanction: string, text: string) =>
    responseData(client.POST("/api/v1/appeals/", { body: { sanction, text } })),
};
