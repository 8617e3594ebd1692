import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "../fixtures/races";
import { Problem, Unreachable } from "../logic/problem";
import { ReconnectingSocket, type SocketState } from "./socket";

let wire: ReconnectingSocket;
let since: number | undefined;
let states: SocketState[];
let frames: string[];
let ended: number[];

function open() {
  wire = new ReconnectingSocket({
    path: "/ws/v1/races/race1/",
    hello: () => (since === undefined ? {} : { since }),
    onFrame: (frame) => frames.push(frame.t),
    onState: (state) => states.push(state),
    onEnd: (code) => ended.push(code),
    createSocket: (url) => new FakeSocket(url),
    random: () => 1,
  });
  wire.open();
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  [states, frames, ended, since] = [[], [], [], undefined];
  open();
});
afterEach(() => {
  wire.close();
  vi.useRealTimers();
});

describe("one socket", () => {
  it("says hello once it is welcome, then measures the way", () => {
    expect(FakeSocket.last.url).toMatch(/^wss?:\/\/.*\/ws\/v1\/races\/race1\/$/);
    expect(FakeSocket.last.said).toEqual([]);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.said.map((one) => one.t)).toEqual(["hello", "ping"]);
    expect(wire.state).toBe("open");
    vi.advanceTimersByTime(14_000);
    FakeSocket.last.tell("heartbeat", { seq: 0 });
    vi.advanceTimersByTime(7_000);
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
  });

  it("is opened once", () => {
    wire.open();
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("passes over what is no frame of this version", () => {
    FakeSocket.last.onmessage?.({ data: "{" });
    FakeSocket.last.onmessage?.({ data: '{"v":2,"t":"welcome","d":{}}' });
    expect(frames).toEqual([]);
  });
});

describe("a lost socket", () => {
  it("comes again, later each time, and says what it knows", () => {
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

  it("is noticed by its silence", () => {
    FakeSocket.last.welcome();
    const first = FakeSocket.last;
    vi.advanceTimersByTime(14_999);
    expect(states.at(-1)).toBe("open");
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe("waiting");
    expect(first.isClosed).toBe(true);
    // Whatever the old one still says is not heard.
    frames = [];
    first.tell("heartbeat", { seq: 9 });
    expect(frames).toEqual([]);
  });

  it("comes at once when the browser is online again", () => {
    FakeSocket.last.lose();
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is doubted after a pause", () => {
    FakeSocket.last.welcome();
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(4_000);
    expect(states.at(-1)).toBe("waiting");
  });

  it.each([4401, 4403, 4404])("does not come again after %i", (code) => {
    FakeSocket.last.lose(code);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(ended).toEqual([code]);
    expect(wire.state).toBe("closed");
  });
});

describe("what is asked", () => {
  it("is answered by the frame with its id", async () => {
    FakeSocket.last.welcome();
    const answer = wire.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
    expect(FakeSocket.last.of("move.play")[0]?.id).toBe("k1");
    FakeSocket.last.tell("move.accepted", { replayed: false }, { id: "other" });
    FakeSocket.last.tell("move.accepted", { replayed: true }, { id: "k1" });
    await expect(answer).resolves.toEqual({ replayed: true });
  });

  it("goes along to the next socket under the same id", async () => {
    FakeSocket.last.welcome();
    const answer = wire.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
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

  it("is refused as a Problem, with what the refusal carries", async () => {
    FakeSocket.last.welcome();
    const answer = wire.request("move.play", { index: 0, move: "8D" }, { id: "k1" });
    const d = { code: "run.stale_index", detail: "Stale.", run: { id: "r" } };
    FakeSocket.last.tell("error", d, { id: "k1" });
    const error = await answer.catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).code).toBe("run.stale_index");
    expect((error as Problem).body.run).toEqual({ id: "r" });
  });

  it("is said again where the server was only too busy", async () => {
    FakeSocket.last.welcome();
    const answer = wire.request("race.ready", {}, { id: "k1" });
    const d = { code: "server.busy", detail: "Busy.", retry_after_ms: 1_000 };
    FakeSocket.last.tell("error", d, { id: "k1" });
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.of("race.ready")).toHaveLength(2);
    FakeSocket.last.tell("race.snapshot", { race: 1 }, { id: "k1" });
    await expect(answer).resolves.toEqual({ race: 1 });
  });

  it("is put to its twin where there is no socket", async () => {
    const restFallback = vi.fn(async () => ({ run: "by rest" }));
    const answer = wire.request(
      "move.play",
      { index: 0, move: "8D" },
      { restFallback },
    );
    await vi.advanceTimersByTimeAsync(1_199);
    expect(restFallback).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toEqual({ run: "by rest" });
  });

  it("is put to its twin again while nothing is heard, and refused by it", async () => {
    const restFallback = vi
      .fn()
      .mockRejectedValueOnce(new Unreachable())
      .mockRejectedValueOnce(new Problem({ status: 503 }))
      .mockRejectedValueOnce(new Problem({ status: 409, code: "race.full" }));
    const refused = wire
      .request("race.join", {}, { restFallback })
      .catch((error: unknown) => error as Problem);
    await vi.advanceTimersByTimeAsync(1_200 + 4_000 + 4_000);
    expect(((await refused) as Problem).code).toBe("race.full");
    expect(restFallback).toHaveBeenCalledTimes(3);
  });

  it("is given up with the wire", async () => {
    const answer = wire.request("race.ready", {});
    wire.close();
    await expect(answer).rejects.toBeInstanceOf(Unreachable);
  });
});
