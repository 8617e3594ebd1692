import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { aRun } from "../../fixtures/runs";
import { TableStore } from "../runs/table.svelte";
import { CoachStore } from "./coach.svelte";

const job = {
  run: "r1",
  seal: "",
  version: "1",
  status: "done",
  progress: 1,
  queue_position: null,
  index: 1,
};
let table: TableStore;
let coach: CoachStore;

beforeEach(() => {
  sessionStorage.clear();
  table = new TableStore();
  table.take(aRun({ index: 1, room: ["8C", "7H", "QS"] }));
  coach = new CoachStore(table);
});
afterEach(() => {
  coach.close();
  table.close();
  vi.unstubAllGlobals();
});

it("asks for one level after the other, and advises as far as they go", async () => {
  const asked = network([
    { body: { ...job, level: 1, theme: "armed" } },
    { body: { ...job, level: 2, theme: "armed", card: "8C" } },
    { body: { ...job, level: 3, theme: "armed", card: "8C", plan: ["8Cw", "7H"] } },
  ]);
  await coach.nextHint();
  expect(coach.advised).toEqual([]);
  await coach.nextHint();
  expect(coach.advised).toEqual(["8C"]);
  await coach.nextHint();
  expect(coach.advised).toEqual(["8Cw"]);
  expect(asked.map((one) => one.body.level)).toEqual([1, 2, 3]);
  expect(table.run?.coached).toBe(true);
});

it("polls while the analysis waits", async () => {
  vi.useFakeTimers();
  network([
    { status: 202, body: { ...job, status: "queued", queue_position: 2, level: 0 } },
    { body: { ...job, level: 0, chance: 0.2, chance_error: 0.02 } },
  ]);
  const pending = coach.askChance();
  await vi.advanceTimersByTimeAsync(100);
  expect(coach.waiting).toContain("1 analysis is before yours");
  await vi.advanceTimersByTimeAsync(1_000);
  await pending;
  vi.useRealTimers();
  expect(coach.chance?.chance).toBe(0.2);
  expect(coach.waiting).toBe("");
});

it("forgets everything about a position after the next move", async () => {
  network([{ body: { ...job, level: 2, theme: "avoid", card: null } }]);
  await coach.nextHint();
  expect(coach.advised).toEqual(["avoid"]);
  table.take(aRun({ index: 2, room: ["7H", "QS"] }));
  expect(coach.hint).toBeNull();
  expect(coach.advised).toEqual([]);
});

it("undoes, and takes the run of a refusal as an earlier undo", async () => {
  const before = aRun({ coached: true });
  const asked = network([
    { body: before },
    { status: 409, body: { code: "run.stale_index", detail: "", run: before } },
  ]);
  expect(await coach.undo()).toBe(true);
  expect(asked[0]?.body).toEqual({ index: 1 });
  expect(table.run?.index).toBe(0);
  table.take(aRun({ index: 1, room: ["8C", "7H", "QS"] }));
  expect(await coach.undo()).toBe(false);
  expect(table.run?.index).toBe(0);
  expect(coach.errorText).toBe("");
});
