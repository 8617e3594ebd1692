import { expect, it } from "vitest";
import { matchPath } from "./path_pattern";

it("reads the parameters of a path", () => {
  expect(matchPath("/play/:runId", "/play/abc")).toEqual({ runId: "abc" });
  expect(matchPath("/play/:runId", "/play/a%20b/")).toEqual({ runId: "a b" });
  expect(matchPath("/", "/")).toEqual({});
});

it("matches no other path", () => {
  expect(matchPath("/play/:runId", "/play")).toBeNull();
  expect(matchPath("/play/:runId", "/replay/abc")).toBeNull();
  expect(matchPath("/rules", "/rules/more")).toBeNull();
  expect(matchPath("/players/:name", "/players/%E0%A4%A")).toBeNull();
});
