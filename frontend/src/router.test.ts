import { expect, it } from "vitest";
import { match } from "./router.svelte";

it("reads parameters out of an address", () => {
  expect(match("/play/:runId", "/play/abc")).toEqual({ runId: "abc" });
  expect(match("/play/:runId", "/play/a%20b/")).toEqual({ runId: "a b" });
  expect(match("/", "/")).toEqual({});
});

it("takes no other address", () => {
  expect(match("/play/:runId", "/play")).toBeNull();
  expect(match("/play/:runId", "/replay/abc")).toBeNull();
  expect(match("/rules", "/rules/more")).toBeNull();
  expect(match("/players/:name", "/players/%E0%A4%A")).toBeNull();
});
