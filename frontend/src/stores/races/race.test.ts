import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aRace, anEntrant, FakeSocket, event } from "../../fixtures/races";
import { aRun } from "../../fixtures/runs";
import { RaceStore } from "./race.svelte";
import { session } from "../accounts/session.svelte";

let store: RaceStore;
let asked: { path: string; method: string }[];
let replies: Record<string, unknown>;

/** Answers by path: the test's answers, and an empty chat. */
function listen(request: Request): Response {
  const path = new URL(request.url).pathname;
  asked.push({ path, method: request.method });
  const found = Object.entries(replies).find(([end]) => path.endsWith(end));
  const body = found?.[1] ?? { results: [], phrases: {} };
  const { status = 200 } = body as { status?: number };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}

async function joined(race = aRace()): Promise<FakeSocket> {
  store = new RaceStore("race1", (url) => new FakeSocket(url));
  await store.open();
  FakeSocket.last.welcome();
  FakeSocket.last.tell("race.snapshot", { race });
  return FakeSocket.last;
}

const raceRun = (more = {}) => aRun({ kind: "race", race: "race1", ...more });
const running = (more = {}) =>
  aRace({
    phase: "running",
    entrants: [anEntrant(1, { state: "racing" }), anEntrant(2, { state: "racing" })],
    ...more,
  });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-01T10:05:00.000Z") });
  FakeSocket.all = [];
  [asked, replies] = [[], {}];
  vi.stubGlobal("fetch", async (request: Request) => listen(request));
  localStorage.setItem("scoundrel.known", "1");
  session.account = {
    id: "a1",
    name: "Ada",
    is_guest: true,
    is_bot: false,
    preferences: {},
    created_at: "2026-01-01T10:00:00.000Z",
  } as typeof session.account;
});
afterEach(() => {
  store.close();
  session.forget();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a race by socket", () => {
  it("starts with a snapshot and applies events", async () => {
    const socket = await joined();
    expect(socket.of("hello")[0]?.d).toEqual({});
    socket.event(event(4, "readied", { seat: 2 }));
    socket.event(event(5, "hidden"));
    expect(store.race?.entrants[1]?.state).toBe("ready");
    expect(store.race?.seq).toBe(5);
    expect(socket.of("resync")).toEqual([]);
  });

  it("ignores a repeated event", async () => {
    const socket = await joined();
    socket.event(event(4, "readied", { seat: 2 }));
    socket.event(event(4, "unreadied", { seat: 2 }));
    expect(store.race?.entrants[1]?.state).toBe("ready");
  });

  it("resyncs at a gap, and replaces all by the snapshot", async () => {
    const socket = await joined();
    socket.event(event(6, "readied", { seat: 2 }));
    expect(socket.of("resync")).toHaveLength(1);
    expect(store.race?.seq).toBe(3);
    socket.tell("race.snapshot", { race: aRace({ seq: 6, host: "Bob" }) });
    expect(store.race).toMatchObject({ seq: 6, host: "Bob" });
  });

  it("resyncs when a heartbeat stays ahead", async () => {
    const socket = await joined();
    socket.tell("heartbeat", { seq: 4 });
    socket.event(event(4, "hidden"));
    vi.advanceTimersByTime(2_000);
    expect(socket.of("resync")).toEqual([]);
    socket.tell("heartbeat", { seq: 9 });
    vi.advanceTimersByTime(2_000);
    expect(socket.of("resync")).toHaveLength(1);
  });

  it("sends its last event number on a new socket, unless it is resyncing", async () => {
    const socket = await joined();
    socket.event(event(4, "hidden"));
    socket.lose();
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.of("hello")[0]?.d).toEqual({ since: 4 });
    FakeSocket.last.event(event(9, "hidden"));
    FakeSocket.last.lose();
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.of("hello")[0]?.d).toEqual({});
  });

  it("ignores another race and outdated snapshots", async () => {
    const socket = await joined();
    socket.tell("race.snapshot", { race: aRace({ id: "old", seq: 90, host: "Eve" }) });
    socket.tell("race.snapshot", { race: aRace({ seq: 2, host: "Eve" }) });
    socket.tell("run.observation", { run: aRun({ race: "old" }) });
    expect(store.race).toMatchObject({ id: "race1", seq: 3, host: "Ada" });
    expect(store.table.run).toBeNull();
  });

  it("finds the own seat by name in a public snapshot", async () => {
    await joined(aRace({ you: { seat: null, player: null } }));
    expect(store.own?.seat).toBe(1);
  });

  it("requests a snapshot when the start is overdue", async () => {
    const starts_at = new Date(Date.now() + 5_000).toISOString();
    const socket = await joined(aRace({ phase: "countdown", starts_at }));
    vi.advanceTimersByTime(6_400);
    expect(socket.of("resync")).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(socket.of("resync")).toHaveLength(1);
  });
});

describe("one's own run", () => {
  it("is shown at the start and with a snapshot", async () => {
    const socket = await joined(running());
    expect(store.table.run).toBeNull();
    socket.tell("run.observation", { run: raceRun() });
    expect(store.table.run?.index).toBe(0);
    socket.tell("race.snapshot", { race: running({ run: raceRun({ index: 2 }) }) });
    expect(store.table.run?.index).toBe(2);
  });

  it("sends moves by socket with an idempotency key", async () => {
    const socket = await joined(running({ run: raceRun() }));
    store.table.select("5D");
    store.table.act("equip");
    const [sent] = socket.of("move.play");
    expect(sent?.d).toEqual({ index: 0, move: "5D" });
    const run = raceRun({ index: 1, room: ["8C", "7H", "QS"] });
    const effects = [{ kind: "equipped", card: "5D", discarded: [] }];
    socket.tell("move.accepted", { run, effects, replayed: false }, { id: sent?.id });
    await vi.waitFor(() => expect(store.table.run?.index).toBe(1));
    expect(store.table.sent).toBeNull();
    expect(store.race?.run?.index).toBe(1);
  });

  it("sends moves by REST with the same key when the socket is lost", async () => {
    const socket = await joined(running({ run: raceRun() }));
    replies["/moves/"] = { run: raceRun({ index: 1 }), effects: [], replayed: true };
    store.table.select("5D");
    store.table.act("equip");
    socket.lose();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked).toContainEqual({
      path: "/api/v1/races/race1/moves/",
      method: "POST",
    });
    expect(store.table.run?.index).toBe(1);
  });

  it("takes the run of a refusal", async () => {
    const socket = await joined(running({ run: raceRun() }));
    store.table.select("5D");
    store.table.act("equip");
    const id = socket.of("move.play")[0]?.id;
    const d = { code: "run.stale_index", detail: "", run: raceRun({ index: 5 }) };
    socket.tell("error", d, { id });
    await vi.waitFor(() => expect(store.table.run?.index).toBe(5));
  });
});

describe("without a socket", () => {
  it("polls for a visitor, without creating an account", async () => {
    session.forget();
    replies["/race1/"] = aRace({ you: { seat: null, player: null } });
    store = new RaceStore("race1", (url) => new FakeSocket(url));
    await store.open();
    await vi.advanceTimersByTimeAsync(10);
    expect(FakeSocket.all).toEqual([]);
    expect(store.race?.seq).toBe(3);
    expect(store.connection).toBe("anonymous");
    expect(asked.every((one) => one.method === "GET")).toBe(true);
  });

  it("loads the race by REST while the socket connects", async () => {
    const socket = await joined();
    socket.lose();
    expect(store.connection).toBe("lost");
    replies["/race1/"] = aRace({ seq: 8 });
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(store.race?.seq).toBe(8);
    expect(store.connection).toBe("polling");
  });
});

it("stops polling a race that does not exist", async () => {
  replies["/race1/"] = { status: 404, code: "race.not_found" };
  store = new RaceStore("race1", (url) => new FakeSocket(url));
  await store.open();
  await vi.advanceTimersByTimeAsync(2_600);
  expect(store.loadError).toMatchObject({ status: 404 });
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked.length).toBe(before);
});

describe("chat", () => {
  it("keeps messages in order and without duplicates", async () => {
    const socket = await joined();
    const said = (number: number, text: string) => ({
      number,
      player: "Bob",
      room: "entrants",
      phrase: null,
      text,
      at: "2026-01-01T10:05:00.000Z",
    });
    socket.tell("chat.message", said(2, "Good luck!"));
    socket.tell("chat.message", said(1, "Hello!"));
    socket.tell("chat.message", said(2, "Good luck!"));
    expect(store.chat.messages.map((one) => one.text)).toEqual([
      "Hello!",
      "Good luck!",
    ]);
  });
});
