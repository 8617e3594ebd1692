import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "../fixtures/races";
import { Problem, Unreachable } from "../logic/problem";
import { ReconnectingSocket, type SocketState } from "./socket";

let socket: ReconnectingSocket;
let since: number | undefined;
let states: SocketState[];
let frames: string[];
let ended: number[];

function open() {
  socket = new ReconnectingSocket({
    path: "/ws/v1/races/race1/",
    hello: () => (since === undefined ? {} : { since }),
    onFrame: (frame) => frames.push(frame.t),
    onState: (state) => states.push(state),
    onEnd: (code) => ended.push(code),
    createSocket: (url) => new FakeSocket(url),
    random: () => 1,
  });
  socket.open();
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  [states, frames, ended, since] = [[], [], [], undefined];
  open();
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
});

describe("one socket", () => {
  it("sends hello after the welcome, then a ping", () => {
    expect(FakeSocket.last.url).toMatch(/^wss?:\/\/.*\/ws\/v1\/races\/race1\/$/);
    expect(FakeSocket.last.said).toEqual([]);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.said.map((one) => one.t)).toEqual(["hello", "ping"]);
    expect(socket.state).toBe("open");
    vi.advanceTimersByTime(14_000);
    FakeSocket.last.tell("heartbeat", { seq: 0 });
    vi.advanceTimersByTime(7_000);
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
  });

  it("is opened once", () => {
    socket.open();
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("ignores frames of other versions", () => {
    FakeSocket.last.onmessage?.({ data: "{" });
    FakeSocket.last.onmessage?.({ data: '{"v":2,"t":"welcome","d":{}}' });
    expect(frames).toEqual([]);
  });
});

describe("a lost socket", () => {
  it("reconnects with growing delays, and says hello again", () => {
    FakeSocket.last.welcome();
    since = 7;
    FakeSocket.last.lose();
    expect(states.at(-1)).toBe("waiting");
    vi.advanceTimersByTime(499);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.lose();
    vi.advanceTimersByTime(999);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.of("hello")[0]?.d).toEqual({ since: 7 });
    FakeSocket.last.lose();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(4);
  });

  it("waits as long as the server said", () => {
    FakeSocket.last.welcome();
    FakeSocket.last.tell("bye", { reason: "restart", retry_after_ms: 3_000 });
    FakeSocket.last.lose(4503);
    vi.advanceTimersByTime(2_999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is detected by silence", () => {
    FakeSocket.last.welcome();
    const first = FakeSocket.last;
    vi.advanceTimersByTime(14_999);
    expect(states.at(-1)).toBe("open");
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe("waiting");
    expect(first.isClosed).toBe(true);
    // Frames of the old socket are ignored.
    frames = [];
    first.tell("heartbeat", { seq: 9 });
    expect(frames).toEqual([]);
  });

  it("reconnects immediately when the browser is online again", () => {
    FakeSocket.last.lose();
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is checked after a pause", () => {
    FakeSocket.last.welcome();
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(4_000);
    expect(states.at(-1)).toBe("waiting");
  });

  it.each([4401, 4403, 4404])("does not reconnect after close code %i", (code) => {
    FakeSocket.last.lose(code);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(ended).toEqual([code]);
    expect(socket.state).toBe("closed");
  });
});

describe("a request", () => {
  it("is answered by the frame with its id", async () => {
    FakeSocket.last.welcome();
    const answer = socket.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
    expect(FakeSocket.last.of("move.play")[0]?.id).toBe("k1");
    FakeSocket.last.tell("move.accepted", { replayed: false }, { id: "other" });
    FakeSocket.last.tell("move.accepted", { replayed: true }, { id: "k1" });
    await expect(answer).resolves.toEqual({ replayed: true });
  });

  it("is sent again on the next socket with the same id", async () => {
    FakeSocket.last.welcome();
    const answer = socket.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
    FakeSocket.last.lose();
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.said.map((one) => one.t)).toEqual([
      "hello",
      "move.play",
      "ping",
    ]);
    expect(FakeSocket.last.of("move.play")[0]?.id).toBe("k1");
    FakeSocket.last.tell("move.accepted", {}, { id: "k1" });
    await answer;
    FakeSocket.last.lose();
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.of("move.play")).toEqual([]);
  });

  it("rejects with a Problem and its details", async () => {
    FakeSocket.last.welcome();
    const answer = socket.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
    const d = { code: "run.stale_index", detail: "Stale.", run: { id: "r" } };
    FakeSocket.last.tell("error", d, { id: "k1" });
    const error = await answer.catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).code).toBe("run.stale_index");
    expect((error as Problem).body.run).toEqual({ id: "r" });
  });

  it("is sent again when the server is busy", async () => {
    FakeSocket.last.welcome();
    const answer = socket.request("race.ready", {}, { id: "k1" });
    const d = { code: "server.busy", detail: "Busy.", retry_after_ms: 1_000 };
    FakeSocket.last.tell("error", d, { id: "k1" });
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.of("race.ready")).toHaveLength(2);
    FakeSocket.last.tell("race.snapshot", { race: 1 }, { id: "k1" });
    await expect(answer).resolves.toEqual({ race: 1 });
  });

  it("uses the REST fallback without a socket", async () => {
    const restFallback = vi.fn(async () => ({ run: "by rest" }));
    const answer = socket.request(
      "move.play",
      { index: 0, move: "8D" },
      { restFallback },
    );
    await vi.advanceTimersByTimeAsync(1_199);
    expect(restFallback).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toEqual({ run: "by rest" });
  });

  it("retries the REST fallback until it answers", async () => {
    const restFallback = vi
      .fn()
      .mockRejectedValueOnce(new Unreachable())
      .mockRejectedValueOnce(new Problem({ status: 503 }))
      .mockRejectedValueOnce(new Problem({ status: 409, code: "race.full" }));
    const refused = socket
      .request("race.join", {}, { restFallback })
      .catch((error: unknown) => error as Problem);
    await vi.advanceTimersByTimeAsync(1_200 + 4_000 + 4_000);
    expect(((await refused) as Problem).code).toBe("race.full");
    expect(restFallback).toHaveBeenCalledTimes(3);
  });

  it("is rejected when the socket is closed", async () => {
    const answer = socket.request("race.ready", {});
    socket.close();
    await expect(answer).rejects.toBeInstanceOf(Unreachable);
  });
});
