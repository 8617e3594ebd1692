import { describe, expect, it } from "vitest";
import { aRace, anEntrant } from "../fixtures/races";
import { earlyClose, seatReleaseMs } from "./race_rules";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

describe("the release of a seat", () => {
  const race = aRace({ full_since: at(100), seat_release_ms: 120_000 });
  const entrant = anEntrant(2, { unready_since: at(50) });
  it.each([
    ["two minutes after the race is full", race, entrant, 90_000],
    [
      "two minutes after the entrant stopped being ready",
      race,
      anEntrant(2, { unready_since: at(110) }),
      100_000,
    ],
    ["not for who is ready", race, anEntrant(2), null],
    ["not while a seat is free", { ...race, full_since: null }, entrant, null],
    ["not by link", { ...race, seat_release_ms: null }, entrant, null],
    ["not after the start", { ...race, phase: "running" as const }, entrant, null],
  ])("%s", (_, race, entrant, ms) => {
    expect(seatReleaseMs(race, entrant, 130_000)).toBe(ms);
  });
});

describe("closing a race early", () => {
  const ada = anEntrant(1, { state: "died" });
  const bob = anEntrant(2, { state: "racing", present: false, away_since: at(100) });
  const race = aRace({
    phase: "running",
    starts_at: at(10),
    early_close_ms: 60_000,
    entrants: [ada, bob],
  });
  const withOther = (more: object) => ({
    ...race,
    entrants: [ada, { ...bob, ...more }],
  });
  it.each([
    ["after a minute of absence", race, 130_000, { away: ["Bob"], inMs: 30_000 }],
    ["when the minute is over", race, 170_000, { away: ["Bob"], inMs: 0 }],
    [
      "counts from the start",
      withOther({ away_since: at(1) }),
      40_000,
      { away: ["Bob"], inMs: 30_000 },
    ],
    ["not while they are here", withOther({ away_since: null }), 170_000, null],
    ["not in a speed race", { ...race, early_close_ms: null }, 170_000, null],
    ["not with nobody racing", withOther({ state: "died" }), 170_000, null],
    [
      "not as a spectator",
      { ...race, you: { seat: null, player: null } },
      170_000,
      null,
    ],
    [
      "not after giving up",
      { ...race, entrants: [anEntrant(1, { state: "forfeited" }), bob] },
      170_000,
      null,
    ],
  ])("%s", (_, race, now, expected) => {
    expect(earlyClose(race, now)).toEqual(expected);
  });
});
