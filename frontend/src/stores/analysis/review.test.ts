import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { aReview, aWait } from "../../fixtures/reviews";
import { ReviewStore } from "./review.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows a review that was not requested, without polling", async () => {
  const requests = network([{ body: aWait("none") }]);
  const store = new ReviewStore("r1");
  await store.refresh();
  expect([store.waiting, store.done, store.at(0)]).toEqual([false, null, null]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests.map(({ method }) => method)).toEqual(["GET"]);
});

it("polls until the review is done, also after a lost connection", async () => {
  const requests = network([
    { status: 202, body: aWait("queued") },
    { status: 202, body: aWait("running", 0.4) },
    "down",
    { body: aReview() },
  ]);
  const store = new ReviewStore("r1");
  await store.request();
  expect(store.waiting).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.state?.progress).toBe(0.4);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requests.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET"]);
  expect(store.loadError).toBe("");
  expect(store.at(1)?.loss).toBe(52);
});

it("shows a refusal and stops polling", async () => {
  const requests = network([
    { status: 409, body: { detail: "Not yet.", code: "review.not_yet" } },
  ]);
  const store = new ReviewStore("r1");
  await store.request();
  expect(store.loadError).toBe("Not yet.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(1);
});

it("stops polling once closed", async () => {
  const requests = network([{ status: 202, body: aWait("queued") }]);
  const store = new ReviewStore("r1");
  await store.request();
  store.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(1);
});
