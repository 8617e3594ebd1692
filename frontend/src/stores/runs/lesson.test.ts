import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { network } from "../../fixtures/network";
import { aRun } from "../../fixtures/runs";
import { settings } from "../core/settings.svelte";
import { LessonStore, readProgress } from "./lesson.svelte";

const first = {
  ruleset: "tavern-1",
  seed: "moss",
  moves: [],
  step: 0,
  steps: 2,
  title: "Take up the weapon",
  text: "Choose the [5D].",
  advised: ["5D"],
  skipped: [],
  mistake: null,
  effects: [],
  observation: aRun(),
};
const wrong = {
  ...first,
  moves: ["8Cb"],
  mistake: "That costs 8.",
  effects: [{ kind: "fought", card: "8C", armed: false, damage: 8, health: 12 }],
  observation: aRun({ index: 1, room: ["5D", "7H", "QS"], health: 12 }),
};
const right = {
  ...first,
  moves: ["5D"],
  step: 1,
  advised: ["8Cw"],
  effects: [{ kind: "equipped", card: "5D", discarded: [] }],
  observation: aRun({ index: 1, room: ["8C", "7H", "QS"] }),
};

let store: LessonStore;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  store = new LessonStore();
});
afterEach(() => {
  store.close();
  vi.unstubAllGlobals();
});

async function play(card: string, kind: "equip" | "bare") {
  store.table.select(card);
  store.table.act(kind);
  await vi.waitFor(() => expect(store.table.sent).toBeNull());
}

it("shows a mistake, lets nothing be played on it, and takes it back", async () => {
  const requests = network([{ body: first }, { body: wrong }, { body: right }]);
  await store.open();
  expect(store.table.advised).toEqual(["5D"]);
  await play("8C", "bare");
  expect(requests[1]?.body).toEqual({ moves: ["8Cb"] });
  expect(store.table.run?.health).toBe(12);
  expect(store.table.advised).toEqual([]);
  store.table.select("5D");
  expect(store.table.selected).toBeNull();
  expect(readProgress()).toBeNull();
  store.undo();
  expect(store.table.run?.health).toBe(20);
  expect(store.table.log).toEqual([]);
  expect(store.table.advised).toEqual(["5D"]);
  await play("5D", "equip");
  expect(requests[2]?.body).toEqual({ moves: ["5D"] });
  expect(readProgress()?.moves).toEqual(["5D"]);
});

it("resumes, and starts over if the lesson has changed", async () => {
  const progress = JSON.stringify({ moves: ["5D"], startedAt: 1 });
  localStorage.setItem("scoundrel.lesson", progress);
  const requests = network([{ body: right }]);
  await store.open();
  expect(requests[0]?.body).toEqual({ moves: ["5D"] });
  expect(store.lesson?.step).toBe(1);
  const refusal = { code: "lesson.off_script", detail: "No." };
  network([{ status: 400, body: refusal }, { body: first }]);
  await store.open();
  expect(store.lesson?.step).toBe(0);
  expect(readProgress()).toBeNull();
});

it("marks the rules as learned at the end", async () => {
  network([{ body: { ...right, step: 2, advised: [] } }]);
  expect(settings.learned).toBe(false);
  await store.open();
  expect(store.finished).toBe(true);
  expect(settings.learned).toBe(true);
});
