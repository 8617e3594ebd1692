import { describe, expect, it } from "vitest";
import { aRace, anEntrant, event } from "../fixtures/races";
import {
  clock,
  ordinal,
  raceIdIn,
  ratingChangeText,
  entrantStatus,
  eventText,
  raceTitle,
  resultHeading,
  stakesText,
} from "./races";
import { roomAt, roomOf, progressOf } from "../logic/rooms";

describe("rooms", () => {
  it.each([
    [0, 1],
    [2, 1],
    [3, 2],
    [41, 14],
    [42, 15],
    [44, 15],
  ])("%i cards faced is room %i", (depth, room) => {
    expect(roomAt(depth)).toBe(room);
  });

  it("is the room of the last card after a death", () => {
    expect(roomOf({ state: "died", depth: 6 })).toBe(2);
    expect(roomOf({ state: "racing", depth: 6 })).toBe(3);
  });

  it("grows with every card, up to the end", () => {
    const way = Array.from({ length: 45 }, (_, depth) =>
      progressOf({ state: "racing", depth }),
    );
    expect(way.every((at, i) => i === 0 || at > (way[i - 1] ?? 0))).toBe(true);
    expect(way[0]).toBeGreaterThan(0);
    expect(way[44]).toBeLessThanOrEqual(1);
  });
});

describe("texts", () => {
  it("describes the status of entrants", () => {
    expect(entrantStatus(anEntrant(1))).toBe("not ready");
    expect(entrantStatus(anEntrant(1, { state: "racing", depth: 7 }))).toBe("room 3");
    expect(entrantStatus(anEntrant(1, { state: "forfeited" }))).toBe("gave up");
  });

  it("describes joins and ends, not every move", () => {
    const died = { player: "Bob", state: "died", depth: 6 };
    expect(eventText(event(1, "moved", died))).toBe("Bob dies in room 2.");
    expect(eventText(event(1, "joined", { player: "Bob" }))).toBe("Bob joins.");
    expect(eventText(event(1, "moved", { player: "Bob", state: "racing" }))).toBeNull();
    expect(eventText(event(1, "hidden"))).toBeNull();
  });

  it.each([
    [false, false, false, /^Unrated: no rating, points or records/],
    [false, false, true, /^Unrated: you and your opponent share .* a school/],
    [true, false, false, /^Rated: it changes ratings. Only quick matches give points/],
    [true, true, false, /^Rated: it counts for ratings, points and records/],
  ])(
    "says what a race counts for (%s, %s, %s)",
    (rated, gives_points, linked, text) => {
      expect(stakesText({ rated, gives_points, linked })).toMatch(text);
    },
  );

  it("gives the heading of a result", () => {
    const settled = (...places: (number | null)[]) =>
      aRace({
        phase: "settled",
        entrants: places.map((place, i) => anEntrant(i + 1, { place })),
      });
    expect(resultHeading(settled(1, 2))).toBe("You win");
    expect(resultHeading(settled(1, 1))).toBe("You share first place");
    expect(resultHeading(settled(2, 1))).toBe("You finished second");
    const watched = { ...settled(2, 1), you: { seat: null, player: null } };
    expect(resultHeading(watched)).toBe("Bob wins");
    expect(resultHeading(aRace({ phase: "closed" }))).toBe("All runs have ended");
  });

  it("flashes in the tab title while hidden", () => {
    const starts_at = new Date(5_000).toISOString();
    const race = aRace({ phase: "countdown", starts_at });
    expect(raceTitle(race, 2_000, true)).toContain("STARTING");
    expect(raceTitle(race, 2_000, false)).toMatch(/^3 /);
    expect(raceTitle(aRace(), 0, false)).toMatch(/^0\/2 ready/);
  });

  it("formats times and ordinals", () => {
    expect(clock(581_000)).toBe("9:41");
    expect(clock(-5)).toBe("0:00");
    expect([1, 2, 3, 4].map(ordinal)).toEqual(["1st", "2nd", "3rd", "4th"]);
    expect([11, 12, 13, 21].map(ordinal)).toEqual(["11th", "12th", "13th", "21st"]);
    expect([100, 111, 122].map(ordinal)).toEqual(["100th", "111th", "122nd"]);
    expect([14, 0, -3].map(ratingChangeText)).toEqual(["+14", "±0", "−3"]);
  });
});

describe("a race id in a link or code", () => {
  it.each([
    ["abc123def", "abc123def"],
    ["  abc123def ", "abc123def"],
    ["https://example.org/r/abc123def", "abc123def"],
    ["http://localhost:8000/race/abc123def/", "abc123def"],
    ["no way", null],
    ["", null],
  ])("%j is %j", (text, id) => {
    expect(raceIdIn(text)).toBe(id);
  });
});
