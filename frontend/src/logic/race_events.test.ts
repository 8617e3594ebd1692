import { describe, expect, it } from "vitest";
import { aRace, anEntrant, event } from "../fixtures/races";
import type { Race } from "../api/races";
import { applyRaceEvent, isOver } from "./race_events";

const race = aRace();
const running = aRace({
  phase: "running",
  entrants: [anEntrant(1, { state: "racing" }), anEntrant(2, { state: "racing" })],
});

describe("applying an event to a race", () => {
  it("updates the sequence number and the revision", () => {
    const after = applyRaceEvent(race, event(4, "readied", { seat: 2, rev: 9 }));
    expect(after).toMatchObject({ seq: 4, rev: 9 });
    expect(after?.entrants[1]?.state).toBe("ready");
    expect(race.entrants[1]?.state).toBe("joined");
  });

  it("changes only the number for a hidden event", () => {
    expect(applyRaceEvent(race, event(4, "hidden"))).toEqual({ ...race, seq: 4 });
  });

  it.each([
    ["a hole", event(5, "readied", { seat: 2 })],
    ["a repeat", event(3, "readied", { seat: 2 })],
    ["an unknown kind", event(4, "juggled")],
    ["an end without results", event(4, "closed")],
    ["a seat without its entrant", event(4, "joined")],
  ])("returns null: %s", (_, one) => {
    expect(applyRaceEvent(race, one)).toBeNull();
  });

  it("adds and removes entrants", () => {
    const cleo = anEntrant(3);
    const joined = applyRaceEvent(race, event(4, "joined", { seat: 3, entrant: cleo }));
    expect(joined?.entrants.map((one) => one.player)).toEqual(["Ada", "Bob", "Cleo"]);
    const left =
      joined && applyRaceEvent(joined, event(5, "left", { seat: 1, host: "Bob" }));
    expect(left?.entrants.map((one) => one.player)).toEqual(["Bob", "Cleo"]);
    expect(left?.host).toBe("Bob");
    expect(left?.you).toEqual({ seat: null, player: null });
  });

  it("says since when the race is full, and somebody is not ready or away", () => {
    const at = "2026-01-01T10:05:00.000Z";
    const cleo = anEntrant(3, { unready_since: at, away_since: at });
    const events = [
      event(4, "joined", { seat: 3, entrant: cleo }),
      event(5, "readied", { seat: 3 }),
      event(6, "appeared", { seat: 3 }),
      event(7, "unreadied", { seat: 3 }),
      event(8, "vanished", { seat: 3 }),
      event(9, "left", { seat: 2, reason: "idle" }),
    ];
    let now: Race | null = { ...race, seats: 3 };
    const seen = events.map((one) => {
      now = now && applyRaceEvent(now, one);
      const last = now?.entrants.at(-1);
      return [now?.full_since, last?.unready_since, last?.away_since];
    });
    expect(seen).toEqual([
      [at, at, at],
      [at, null, at],
      [at, null, null],
      [at, at, null],
      [at, at, at],
      [null, at, at],
    ]);
  });

  it("counts down and starts", () => {
    const times = {
      starts_at: "2026-01-01T10:05:05.000Z",
      deadline_at: "2026-01-01T10:15:05.000Z",
    };
    const begun = applyRaceEvent(
      race,
      event(4, "countdown_begun", { ...times, seal: "ab" }),
    );
    expect(begun).toMatchObject({ phase: "countdown", seal: "ab", ...times });
    const started = begun && applyRaceEvent(begun, event(5, "started", times));
    expect(started).toMatchObject({ phase: "running", seal: "ab", ...times });
    expect(started?.entrants.map((one) => one.state)).toEqual(["racing", "racing"]);
  });

  it("marks an entrant as a bot at the first move by token", () => {
    const move = { seat: 2, depth: 0, state: "racing", entrant_kind: "bot" };
    const after = applyRaceEvent(running, event(4, "moved", move));
    expect(after?.entrants.map((one) => one.kind)).toEqual(["player", "bot"]);
  });

  it("moves the deadline after an outage, or makes the race unrated", () => {
    const rated = { ...running, rated: true };
    const deadline_at = "2026-01-01T10:20:05.000Z";
    const longer = { deadline_at, rated: true, outage_ms: 60_000 };
    expect(applyRaceEvent(rated, event(4, "outage", longer))).toMatchObject({
      deadline_at,
      rated: true,
      unrated_at: null,
    });
    const covered = { ...longer, rated: false, unrated_at: deadline_at };
    expect(applyRaceEvent(rated, event(4, "outage", covered))).toMatchObject({
      rated: false,
      unrated_at: deadline_at,
    });
  });

  it("applies depth and state of a move", () => {
    const masked = { seat: 2, depth: 4, state: "racing", masked: true };
    const after = applyRaceEvent(running, event(4, "moved", masked));
    expect(after?.entrants[1]).toMatchObject({ depth: 4, state: "racing" });
    expect(after?.entrants[1]?.score).toBeNull();
  });

  it("takes the own score only", () => {
    const end = { depth: 9, state: "died", score: -100, elapsed_ms: 5_000 };
    const own = applyRaceEvent(running, event(4, "moved", { ...end, seat: 1 }));
    expect(own?.entrants[0]).toMatchObject({ state: "died", score: -100 });
    const other = applyRaceEvent(running, event(4, "ended", { ...end, seat: 2 }));
    expect(other?.entrants[1]).toMatchObject({ elapsed_ms: 5_000, score: null });
  });

  it("sets an earlier deadline", () => {
    const sooner = { seat: 1, depth: 1, deadline_at: "2026-01-01T10:08:00.000Z" };
    const after = applyRaceEvent(running, event(4, "moved", sooner));
    expect(after?.deadline_at).toBe("2026-01-01T10:08:00.000Z");
  });

  it("sets and clears a forfeit", () => {
    const said = applyRaceEvent(running, event(4, "forfeiting", { seat: 1 }));
    expect(said?.entrants[0]?.forfeits_at).toBe("2026-01-01T10:05:05.000Z");
    const back =
      said && applyRaceEvent(said, event(5, "forfeit_taken_back", { seat: 1 }));
    expect(back?.entrants[0]?.forfeits_at).toBeNull();
  });

  it("applies results when closed and settled", () => {
    const results = [
      { seat: 1, player: "Ada", state: "cleared", score: 12, run: "r1", depth: 44 },
      { seat: 2, player: "Bob", state: "died", score: -40, run: "r2", depth: 20 },
    ];
    const closed = applyRaceEvent(running, event(4, "closed", { seed: "s", results }));
    expect(closed).toMatchObject({ phase: "closed", seed: "s" });
    expect(closed?.entrants[1]).toMatchObject({ score: -40, run: "r2" });
    const places = [
      { seat: 1, place: 1, rating_before: 1500, rating_change: 30 },
      { seat: 2, place: 2 },
    ];
    const settled =
      closed && applyRaceEvent(closed, event(5, "settled", { results: places }));
    expect(settled?.phase).toBe("settled");
    expect(settled?.entrants[0]).toMatchObject({ place: 1, rating_change: 30 });
    expect(settled?.entrants.every(isOver)).toBe(true);
  });

  it("applies presence, rematches and cancellation", () => {
    const gone = applyRaceEvent(race, event(4, "vanished", { seat: 2 }));
    expect(gone?.entrants[1]?.present).toBe(false);
    expect(
      gone && applyRaceEvent(gone, event(5, "appeared", { seat: 2 })),
    ).toMatchObject({
      entrants: [{}, { present: true }],
    });
    expect(applyRaceEvent(race, event(4, "rematched", { race: "next" }))?.rematch).toBe(
      "next",
    );
    expect(applyRaceEvent(race, event(4, "cancelled", {}))?.phase).toBe("cancelled");
  });

  it("needs a snapshot for moderation, except for a deleted message", () => {
    expect(
      applyRaceEvent(race, event(4, "voided", { phase: "voided", results: [] })),
    ).toBeNull();
    expect(applyRaceEvent(race, event(4, "unsaid", { number: 1 }))?.seq).toBe(4);
    const held = applyRaceEvent(
      { ...race, held: true },
      event(4, "closed", { results: [] }),
    );
    expect(held?.phase).toBe("held");
  });
});
