/**
 * Announces a race to screen readers: joins and ends at once, progress only at every
 * fifth room and not more often than every few seconds.
 */
import { isOver } from "../../logic/race_events";
import type { Race, RaceEvent } from "../../api/races";
import { roomAt } from "../../logic/rooms";
import { eventText, resultHeading } from "../../copy/races";
import { announcer } from "../core/announcer.svelte";
import { play } from "../core/sound";

const EVERY_ROOMS = 5;
const QUIET_MS = 6_000;

export class RaceAnnouncer {
  #announcedRooms = new Map<number, number>();
  #announcedAt = 0;

  /** Announces an event, given the race before and after it. */
  announceEvent(event: RaceEvent, before: Race, race: Race): void {
    const own = event.seat !== undefined && event.seat === race.you.seat;
    switch (event.kind) {
      case "countdown_begun":
        announcer.say("The race starts in five seconds.");
        return;
      case "started":
        void play("horn");
        return;
      case "cancelled":
        announcer.say("The race is cancelled.");
        return;
      case "closed":
        announcer.say("All runs have ended. The seed is revealed.");
        return;
      case "settled":
        announcer.say(`${resultHeading(race)}.`);
        return;
    }
    if (own) return;
    const text = eventText(event);
    const isSooner =
      before.phase === "running" && before.deadline_at !== race.deadline_at;
    const hurryText = isSooner ? " The others have three minutes left." : "";
    if (text) announcer.say(text + hurryText);
    else if (event.kind === "moved") this.#progress(event);
  }

  /** Announces the most important change after missed events. */
  announceGap(before: Race, after: Race): void {
    if (before.phase === after.phase) return;
    if (after.phase === "running" && before.phase !== "running") void play("horn");
    if (after.phase === "countdown") announcer.say("The race starts in five seconds.");
    if (after.phase === "settled") announcer.say(`${resultHeading(after)}.`);
    const own = after.entrants.find((one) => one.seat === after.you.seat);
    if (after.phase === "closed" && own && isOver(own)) {
      announcer.say("All runs have ended. The seed is revealed.");
    }
  }

  #progress(event: RaceEvent): void {
    const seat = Number(event.seat);
    const room = roomAt(Number(event.depth ?? 0));
    const text = this.#announcedRooms.get(seat) ?? 0;
    const now = Date.now();
    if (room < text + EVERY_ROOMS || now - this.#announcedAt < QUIET_MS) return;
    this.#announcedRooms.set(seat, room - (room % EVERY_ROOMS));
    this.#announcedAt = now;
    announcer.say(`${String(event.player)} is in room ${room}.`);
  }
}
