import { expect, it } from "vitest";
import type { Streak, YearDay } from "../api/dailies";
import { aDaily, aYou } from "../fixtures/dailies";
import {
  assessmentText,
  candidateText,
  clockTime,
  dateOf,
  dayLong,
  dayShort,
  daysOn,
  difficultyText,
  newDungeonAt,
  percentileText,
  playersText,
  rankingLink,
  settlesAt,
  dailyStatus,
  dailyStatusText,
  streakText,
  timeLeft,
  yearText,
} from "./dailies";

const DIED = { run: "r1", status: "died", ranked: true, score: -26 } as const;

it("formats UTC dates", () => {
  const now = Date.UTC(2026, 10, 30);
  expect(dayLong("2026-11-30", now)).toBe("Monday 30 November");
  expect(dayLong("2025-12-31", now)).toBe("Wednesday 31 December 2025");
  expect(dayShort("2028-02-29")).toBe("Tue 29 Feb 2028");
  expect(dateOf(Date.UTC(2026, 11, 31, 23, 59, 59))).toBe("2026-12-31");
  expect(daysOn("2026-12-31", 1)).toBe("2027-01-01");
  expect(daysOn("2028-03-01", -1)).toBe("2028-02-29");
});

it("formats the time left, never negative", () => {
  expect(timeLeft(70.5 * 3_600_000)).toBe("2 days 22 h");
  expect(timeLeft(24 * 3_600_000)).toBe("24 h 0 min");
  expect(timeLeft(3_723_000)).toBe("1 h 2 min");
  expect(timeLeft(62_000)).toBe("1 min 2 s");
  expect(timeLeft(400)).toBe("1 s");
  expect(timeLeft(-5_000)).toBe("0 s");
});

it("gives UTC and local times", () => {
  const midnight = "2026-12-01T00:00:00.000Z";
  expect(clockTime(midnight, "Asia/Kathmandu")).toBe("05:45");
  expect(newDungeonAt(midnight, "UTC")).toBe("A new dungeon every day at 00:00 UTC.");
  expect(newDungeonAt(midnight, "America/New_York")).toBe(
    "A new dungeon every day at 00:00 UTC, 19:00 where you are.",
  );
  // In summer an hour later, by the zone's own clock.
  expect(newDungeonAt("2026-07-01T00:00:00.000Z", "America/New_York")).toContain(
    "20:00 where you are",
  );
  expect(settlesAt("2026-12-01T00:35:00.000Z", "UTC")).toBe("00:35 UTC");
  expect(settlesAt("2026-12-01T00:35:00.000Z", "Europe/Berlin")).toBe(
    "00:35 UTC (01:35 where you are)",
  );
});

it("tells the player's status", () => {
  const stands = [
    aDaily({ phase: "ahead" }),
    aDaily(),
    aDaily({ you: aYou() }),
    aDaily({ you: aYou({ run: "r1", status: "playing" }) }),
    aDaily({ phase: "closed", you: aYou({ run: "r1", status: "playing" }) }),
    aDaily({ you: aYou(DIED) }),
    aDaily({ phase: "closed" }),
    aDaily({ phase: "settled", you: aYou() }),
  ].map(dailyStatus);
  expect(stands).toEqual("ahead new new playing playing over missed missed".split(" "));
});

it("describes the status, with the rank if there is one", () => {
  const you = aYou({ ...DIED, rank: 3, of: 17 });
  expect(dailyStatusText(aDaily({ you }))).toBe("Died, −26. 3rd of 17 so far.");
  expect(dailyStatusText(aDaily({ phase: "settled", you }))).toBe(
    "Died, −26. 3rd of 17.",
  );
  const guest = aYou({ ...DIED, ranked: false });
  expect(dailyStatusText(aDaily({ you: guest }))).toBe("Died, −26. Unranked.");
  // Entered on the board a moment later.
  expect(dailyStatusText(aDaily({ you: aYou(DIED) }))).toBe("Died, −26.");
  expect(dailyStatusText(aDaily())).toBe("Not played yet. You have one attempt.");
});

it("counts players, while open and afterwards", () => {
  expect(playersText({ phase: "open", players: 0 })).toBe("Nobody yet.");
  expect(playersText({ phase: "open", players: 1 })).toBe("One player so far.");
  expect(playersText({ phase: "settled", players: 17 })).toBe("17 players played.");
  expect(percentileText(84.7, 12)).toBe("84 % of the others did no better.");
  expect(percentileText(100, 1)).toBe("");
});

it("describes how the dungeon was chosen and assessed", () => {
  const day = { phase: "settled", candidate: 3 } as const;
  expect(candidateText(aDaily({ ...day, choice: "planned" }))).toBe(
    "It is candidate 3, the first that can be won and is easy as planned.",
  );
  expect(candidateText(aDaily({ ...day, choice: "winnable" }))).toContain(
    "can be won.",
  );
  expect(candidateText(aDaily({ candidate: 0, choice: "first" }))).toContain(
    "candidate 0",
  );
  expect(difficultyText(aDaily())).toBe("Easy");
  expect(difficultyText(aDaily({ band: "hard" }))).toBe("Hard");
  const assessment = {
    winnable: true,
    best: 24,
    cleared: 9,
    games: 20,
    band: "easy",
    version: "1",
  } as const;
  expect(assessmentText(aDaily({ assessment }))).toBe(
    "A computer player cleared it in 9 of 20 games. The best possible score is 24.",
  );
  expect(assessmentText(aDaily())).toBe("");
});

const day = (date: string, more: Partial<YearDay> = {}): YearDay => ({
  date,
  ruleset: "tavern-1",
  run: date,
  status: "died",
  score: -20,
  ranked: true,
  ...more,
});
const streak = (more: Partial<Streak> = {}): Streak => ({
  current: 3,
  longest: 3,
  played_today: false,
  last_on: "2026-11-29",
  frozen_on: null,
  freeze_ready_on: null,
  bridged: [],
  ...more,
});

it("counts days of a year, not attempts", () => {
  expect(yearText({ days: [] })).toBe("No day played yet.");
  const two = [day("2026-11-28"), day("2026-11-28", { status: "cleared" })];
  expect(yearText({ days: two })).toBe("One day played, cleared on 1.");
  expect(yearText({ days: [day("2026-11-27"), day("2026-11-28")] })).toBe(
    "2 days played, cleared on none.",
  );
});

it("describes the streak", () => {
  expect(streakText(streak({ current: 0, longest: 0 }))).toContain("start a streak");
  expect(streakText(streak({ current: 0, longest: 9 }))).toContain("longest was 9");
  expect(streakText(streak({ played_today: true, longest: 8 }))).toBe(
    "You have played today. Longest 8.",
  );
  expect(streakText(streak())).toContain("If you miss one day, it does not end");
  expect(streakText(streak({ bridged: ["2026-11-30"] }))).toContain("was down");
  expect(streakText(streak({ freeze_ready_on: "2026-12-20" }))).toBe(
    "Play today or it ends.",
  );
});

it("links to what makes an attempt ranked", () => {
  const because = (reason: string) =>
    ({ is_ranked: false, reason, words: "", to_do: "" }) as ReturnType<
      typeof aDaily
    >["ranking"];
  const links = (isGuest: boolean) =>
    ["guest", "address_seen", "unqualified", "bot_unverified", "mailbox_seen"].map(
      (reason) => rankingLink(because(reason), isGuest)?.href ?? null,
    );
  expect(links(true)).toEqual(["/sign-up", "/sign-in", "/account", "/account", null]);
  expect(links(false)).toEqual(["/sign-up", null, "/account", "/account", null]);
  expect(rankingLink(because("history_taken"), false)?.href).toBe("/account");
  expect(rankingLink(because("restricted"), false)?.href).toBe("/account/standing");
  expect(rankingLink(null, true)).toBeNull();
});
