import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aDaily, aYou } from "../../fixtures/dailies";
import { network } from "../../fixtures/network";
import { aRun } from "../../fixtures/runs";
import { DailyStore, refreshDelayMs } from "./daily.svelte";
import { session } from "../accounts/session.svelte";

const NOON = Date.parse("2026-11-30T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
  session.forget();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("computes the reload delay for each phase", () => {
  expect(refreshDelayMs(aDaily(), NOON)).toBe(45_000);
  const late = Date.parse("2026-11-30T23:59:50Z");
  expect(refreshDelayMs(aDaily(), late)).toBe(11_000);
  const over = Date.parse("2026-12-01T00:34:58Z");
  expect(refreshDelayMs(aDaily({ phase: "closed" }), over)).toBe(5_000);
  expect(refreshDelayMs(aDaily({ phase: "settled" }), over)).toBeNull();
  expect(
    refreshDelayMs(aDaily({ phase: "ahead", opens_at: "2026-12-24T00:00:00Z" }), NOON),
  ).toBe(3_600_000);
});

it("refreshes an open daily until it is closed", async () => {
  const requests = network([{ body: aDaily() }, { body: aDaily({ players: 18 }) }]);
  const store = new DailyStore("today", "tavern-1");
  await store.open();
  expect(store.daily?.players).toBe(17);
  await vi.advanceTimersByTimeAsync(46_000);
  expect(store.daily?.players).toBe(18);
  store.close();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/v1/dailies/today/",
    "/api/v1/dailies/today/",
  ]);
});

it("keeps the daily while the connection is lost", async () => {
  network([{ body: aDaily() }, "down", { body: aDaily({ players: 20 }) }]);
  const store = new DailyStore("today", "tavern-1");
  await store.open();
  await vi.advanceTimersByTimeAsync(46_000);
  expect([store.daily?.players, store.loadError !== ""]).toEqual([17, true]);
  await vi.advanceTimersByTimeAsync(46_000);
  expect([store.daily?.players, store.loadError]).toEqual([20, ""]);
  store.close();
});

it("starts the shown daily, as a guest if needed", async () => {
  const guest = { id: "a", name: "Lantern", is_guest: true, preferences: {} };
  const requests = network([
    { body: aDaily({ ruleset: "bound-1" }) },
    { status: 201, body: guest },
    { status: 201, body: aRun({ id: "r9", kind: "daily" }) },
  ]);
  const store = new DailyStore("today", "bound-1");
  await store.open();
  expect(await store.begin()).toBe("r9");
  // The date that was shown: midnight may have passed in between.
  expect(requests.at(-1)?.path).toBe("/api/v1/dailies/2026-11-30/run/");
  store.close();
});

it("shows why a run was refused, and reloads", async () => {
  session.account = { id: "a", is_guest: true } as typeof session.account;
  network([
    { body: aDaily({ you: aYou() }) },
    { status: 409, body: { code: "daily.closed", detail: "Closed." } },
    { body: aDaily({ phase: "closed", you: aYou() }) },
  ]);
  const store = new DailyStore("today", "tavern-1");
  await store.open();
  expect(await store.begin()).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(store.errorText).toContain("This daily is closed");
  expect(store.daily?.phase).toBe("closed");
  store.close();
});

it("tells a missing daily from a lost connection", async () => {
  network([{ status: 404, body: { code: "daily.not_found", detail: "None." } }]);
  const store = new DailyStore("1999-01-01", "tavern-1");
  await store.open();
  expect([store.missing, store.loadError, store.daily]).toEqual([true, "", null]);
});

it("ignores the answer for a ruleset that is no longer chosen", async () => {
  network([{ body: aDaily() }, { body: aDaily({ ruleset: "flee-1", players: 3 }) }]);
  const store = new DailyStore("today", "tavern-1");
  const first = store.open();
  const second = store.open("flee-1");
  await Promise.all([first, second]);
  expect(store.daily?.ruleset).toBe("flee-1");
  store.close();
});
