import { describe, expect, it } from "vitest";
import { ServerClock } from "./server_clock";

function clockAt(start: number) {
  const time = { now: start };
  return { time, clock: new ServerClock(() => time.now) };
}

describe("the server's time", () => {
  it("is local time at first", () => {
    expect(clockAt(1_000).clock.now()).toBe(1_000);
  });

  it("is set by a welcome message", () => {
    const { clock } = clockAt(1_000);
    clock.recordWelcome(new Date(61_000).toISOString());
    expect(clock.now()).toBe(61_000);
  });

  it("is set by the fastest ping, before the welcome message", () => {
    const { clock, time } = clockAt(0);
    clock.recordWelcome(new Date(9_000).toISOString());
    time.now = 400; // sent at 0, answered at 5200 of theirs: a slow way
    clock.recordPong(0, 5_200);
    expect(clock.offsetMs).toBe(5_000);
    time.now = 1_020; // a quick one
    clock.recordPong(1_000, 6_110);
    expect(clock.offsetMs).toBe(5_100);
    time.now = 3_000; // slow again: not believed
    clock.recordPong(2_000, 9_999);
    expect(clock.offsetMs).toBe(5_100);
  });

  it("forgets old pings", () => {
    const { clock, time } = clockAt(0);
    clock.recordPong(0, 500);
    for (let i = 1; i <= 8; i += 1) {
      time.now = i * 100 + 10;
      clock.recordPong(i * 100, i * 100 + 1_005);
    }
    expect(clock.offsetMs).toBe(1_000);
  });

  it("ignores answers with negative round trips", () => {
    const { clock, time } = clockAt(100);
    clock.recordPong(200, 5);
    clock.recordPong(50, Number.NaN);
    time.now = 300;
    expect(clock.now()).toBe(300);
  });

  it("computes the time until an instant", () => {
    const { clock } = clockAt(1_000);
    expect(clock.until(new Date(3_500).toISOString())).toBe(2_500);
  });
});
