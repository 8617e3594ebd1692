/**
 * Tells the ear of a race, sparingly: ends and comings at once, progress only at every
 * fifth door, and never two lines of progress within a few seconds.
 */
import { isOver } from "../../logic/race_events";
import type { Race, RaceNews } from "../../api/races";
import { doorAt } from "../../logic/rooms";
import { tellNews, verdict } from "../../copy/races";
import { announcer } from "../core/announcer.svelte";
import { play } from "../core/sound";

const EVERY_DOORS = 5;
const QUIET_MS = 6_000;

export class Crier {
  #doors = new Map<number, number>();
  #saidAt = 0;

  /** One event, and the race before and after it. */
  happened(news: RaceNews, before: Race, race: Race): void {
    const own = news.seat !== undefined && news.seat === race.you.seat;
    switch (news.kind) {
      case "countdown_begun":
        announcer.say("The race starts in five seconds.");
        return;
      case "started":
        void play("horn");
        return;
      case "cancelled":
        announcer.say("The race is off.");
        return;
      case "closed":
        announcer.say("The last torch is out. The seal breaks.");
        return;
      case "settled":
        announcer.say(`${verdict(race)}.`);
        return;
    }
    if (own) return;
    const told = tellNews(news);
    const isSooner =
      before.phase === "running" && before.deadline_at !== race.deadline_at;
    const hurry = isSooner ? " Three minutes for the rest." : "";
    if (told) announcer.say(told + hurry);
    else if (news.kind === "moved") this.#progress(news);
  }

  /** A snapshot where events were missed: only what matters most is told. */
  jumped(before: Race, after: Race): void {
    if (before.phase === after.phase) return;
    if (after.phase === "running" && before.phase !== "running") void play("horn");
    if (after.phase === "countdown") announcer.say("The race starts in five seconds.");
    if (after.phase === "settled") announcer.say(`${verdict(after)}.`);
    const own = after.entrants.find((one) => one.seat === after.you.seat);
    if (after.phase === "closed" && own && isOver(own)) {
      announcer.say("The last torch is out. The seal breaks.");
    }
  }

  #progress(news: RaceNews): void {
    const seat = Number(news.seat);
    const door = doorAt(Number(news.depth ?? 0));
    const told = this.#doors.get(seat) ?? 0;
    const now = Date.now();
    if (door < told + EVERY_DOORS || now - this.#saidAt < QUIET_MS) return;
    this.#doors.set(seat, door - (door % EVERY_DOORS));
    this.#saidAt = now;
    announcer.say(`${String(news.player)} is in room ${door}.`);
  }
}
