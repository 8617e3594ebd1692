/** Texts of a run's end: headings, score parts and the text to share. */
import type { Effect, Part, RunStatus } from "../api/runs";
import { card } from "../logic/cards";
import { signed } from "./format";

const headings: Record<RunStatus, string> = {
  playing: "Still down there",
  cleared: "You got out",
  died: "You died",
  abandoned: "You walked away",
  expired: "The torch burnt down",
  forfeited: "You gave it up",
};
/** The status for lists. */
const outcomes: Record<RunStatus, string> = {
  playing: "Playing",
  cleared: "Cleared",
  died: "Died",
  abandoned: "Abandoned",
  expired: "Expired",
  forfeited: "Gave up",
};
/** The status after a name: "Ada died". */
const namedOutcomes: Record<Exclude<RunStatus, "playing">, string> = {
  cleared: "cleared the dungeon",
  died: "died",
  abandoned: "abandoned the run",
  expired: "did not finish in time",
  forfeited: "gave up",
};
const parts: Record<string, string> = {
  health: "Health left",
  monsters_in_room: "Monsters left in the room",
  monsters_in_dungeon: "Monsters left in the dungeon",
  last_potion: "Last potion, at full health",
};

/** How the run ended: addressed to the player, or about `player` for anybody else. */
export function heading(status: RunStatus, player: string | null = null): string {
  if (player === null) return headings[status];
  return status === "playing"
    ? `${player} is still playing`
    : `${player} ${namedOutcomes[status]}`;
}
export const outcome = (status: RunStatus): string => outcomes[status];

export function partName(part: Part): string {
  if (part.part === "health" && part.value < 0) return "Health below zero";
  return parts[part.part] ?? part.part.replaceAll("_", " ");
}

/** The monster that ended the run, from the last effects; null if there is none. */
export function killerOf(effects: readonly Effect[]): string | null {
  return effects.find((effect) => effect.kind === "died")?.card ?? null;
}

export function subheading(status: RunStatus, room: number, by: string | null): string {
  if (status === "cleared") return "All forty-four cards, and you on top of them.";
  const where = `in room ${room} of 15`;
  if (status === "died" && by) return `The ${card(by).name} got you ${where}.`;
  if (status === "died") return `It ended ${where}.`;
  return `It stopped ${where}.`;
}

export interface ShareFacts {
  ruleset: string;
  status: RunStatus;
  score: number;
  room: number;
  by: string | null;
  seed: string | null;
  address: string;
}

/** Fifteen characters: rooms passed, the room of the end, rooms not reached. */
export function trail(status: RunStatus, room: number): string {
  if (status === "cleared") return "▮".repeat(15);
  return "▮".repeat(Math.max(0, room - 1)) + "✝" + "▯".repeat(Math.max(0, 15 - room));
}

export function shareText(facts: ShareFacts): string {
  const { status, room, by } = facts;
  const how =
    status === "cleared"
      ? "Out alive"
      : by
        ? `Felled by the ${card(by).name} in room ${room}`
        : `Ended in room ${room}`;
  return [
    `Scoundrel Live · ${facts.ruleset} · ${signed(facts.score)}`,
    `${trail(status, room)} ${how}`,
    ...(facts.seed ? [`Seed ${facts.seed}`] : []),
    facts.address,
  ].join("\n");
}
