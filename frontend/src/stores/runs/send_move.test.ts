import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { aRun } from "../../fixtures/runs";
import { Problem } from "../../logic/problem";
import { sendMove } from "./send_move";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = { run: aRun({ index: 1 }), effects: [], replayed: false };
const send = (onRetry = vi.fn(), isCancelled = () => false) =>
  sendMove({ run: "r1", index: 0, move: "8Cb", onRetry, isCancelled });

it("retries with the same key until there is an answer", async () => {
  const requests = network(["down", { status: 503, body: {} }, { body: answer }]);
  const trouble = vi.fn();
  const request = send(trouble);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await request)?.run.index).toBe(1);
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map((a) => a.body.key)).size).toBe(1);
  expect(requests[0]?.body).toMatchObject({ index: 0, move: "8Cb" });
  expect(trouble).toHaveBeenCalledTimes(2);
});

it("throws a refusal immediately", async () => {
  const requests = network([{ status: 422, body: { code: "move.illegal.no_weapon" } }]);
  await expect(send()).rejects.toThrowError(Problem);
  expect(requests).toHaveLength(1);
});

it("waits as long as the server asks", async () => {
  const requests = network([
    { status: 429, body: { code: "throttled", retry_after_s: 2 } },
    { body: answer },
  ]);
  const request = send();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await request;
  expect(requests).toHaveLength(2);
});

it("stops when cancelled", async () => {
  network(["down", "down", "down"]);
  let left = false;
  const request = send(vi.fn(), () => left);
  await vi.advanceTimersByTimeAsync(100);
  left = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await request).toBeNull();
});

it("retries immediately when the browser is online again", async () => {
  const requests = network(["down", { body: answer }]);
  const request = send();
  await vi.advanceTimersByTimeAsync(10);
  window.dispatchEvent(new Event("online"));
  await request;
  expect(requests).toHaveLength(2);
});
