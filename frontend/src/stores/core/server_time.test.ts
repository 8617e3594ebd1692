import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { serverTime } from "./server_time.svelte";

const NOON = Date.parse("2026-11-30T12:00:00Z");

beforeEach(() => vi.useFakeTimers({ now: NOON }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("ticks by the server's time while watched", async () => {
  const requests = network([{ body: { server_time: "2026-11-30T12:05:00Z" } }]);
  const stops = [serverTime.watch(), serverTime.watch()];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(serverTime.until("2026-11-30T12:06:01Z")).toBe(60_000);
  stops[0]?.();
  stops[0]?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(serverTime.until("2026-11-30T12:06:01Z")).toBe(58_000);
  stops[1]?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(serverTime.until("2026-11-30T12:06:01Z")).toBe(58_000);
  expect(requests).toHaveLength(1);
});
