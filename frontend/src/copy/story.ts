/**
 * The story of a run, line by line, and why moves are refused.
 *
 * The story is short and dry; each line says what happened and what it cost. The log,
 * the message line and the live region use the same lines, so that screen readers
 * announce what others see. Refusals are literal.
 */
import type { Effect, ReplayMove, Table } from "../api/runs";
import { card, nameAndValue } from "../logic/cards";
import { capital, list } from "./format";

export type Tone = "hurt" | "good" | "plain" | "end";
export interface Line {
  text: string;
  tone: Tone;
}

const line = (text: string, tone: Tone): Line => ({ text, tone });
const the = (code: string): string => `the ${card(code).name}`;

function foughtLine(effect: Extract<Effect, { kind: "fought" }>): Line {
  const who = capital(the(effect.card));
  if (effect.damage === 0)
    return line(`${who} falls without a scratch on you.`, "good");
  const left = effect.health > 0 ? ` You have ${effect.health}.` : "";
  return line(`${who} takes ${effect.damage}.${left}`, "hurt");
}

function healedLine(effect: Extract<Effect, { kind: "healed" }>): Line {
  if (effect.amount === 0) {
    return line(
      `${capital(the(effect.card))} tastes fine. You were well already.`,
      "plain",
    );
  }
  return line(
    `${capital(the(effect.card))} gives back ${effect.amount}. You have ${effect.health}.`,
    "good",
  );
}

function equippedLine(effect: Extract<Effect, { kind: "equipped" }>): Line {
  const taken = card(effect.card);
  const old = effect.discarded[0];
  const left = old ? ` ${capital(the(old))} stays on the floor.` : "";
  return line(`You take up the ${taken.name}, ${taken.value}.${left}`, "plain");
}

/** The line for an effect; null for effects without one. */
export function effectLine(effect: Effect): Line | null {
  switch (effect.kind) {
    case "fought":
      return foughtLine(effect);
    case "healed":
      return healedLine(effect);
    case "equipped":
      return equippedLine(effect);
    case "wasted":
      return line(
        `A second drink in one room. ${capital(the(effect.card))} is wasted.`,
        "plain",
      );
    case "avoided":
      return line("You back out. The room goes under the pile, in order.", "plain");
    case "died":
      return line(`${capital(the(effect.card))} puts out your torch.`, "end");
    case "cleared":
      return line("The last door opens. You are out.", "end");
    case "dealt":
      return null;
  }
}

export function effectLines(effects: readonly Effect[]): Line[] {
  return effects.map(effectLine).filter((told) => told !== null);
}

/** What a move of a replay did, in one text; undefined is the deal before any move. */
export function moveText(move: ReplayMove | undefined): string {
  if (!move) return "The first room is dealt.";
  return effectLines(move.effects)
    .map((line) => line.text)
    .join(" ");
}

/** The cards of the room, for screen readers. */
export function roomText(table: Table): string {
  if (table.room.length === 0) return "";
  return `Room ${table.room_number}: ${list(table.room.map(nameAndValue))}.`;
}

/** Which monsters a weapon reaches: "below 9", "up to 9", "anything". */
export function reach(weapon: NonNullable<Table["weapon"]>): string {
  if (weapon.limit === null) return "anything";
  return weapon.limit_inclusive ? `up to ${weapon.limit}` : `below ${weapon.limit}`;
}

const refusals: Record<string, string> = {
  "move.illegal.no_weapon": "You hold no weapon.",
  "move.illegal.avoid_after_facing": "You have already faced a card in this room.",
  "move.illegal.avoid_twice":
    "You avoided the last room, so you cannot avoid this one.",
  "move.illegal.avoid_not_full": "Only a full room can be avoided.",
  "move.illegal.avoid_empty_dungeon": "The dungeon is empty. This room must be faced.",
  "move.illegal.avoid_never": "This ruleset does not allow avoiding.",
};
const shortRefusals: Record<string, string> = {
  "move.illegal.no_weapon": "no weapon",
  "move.illegal.avoid_after_facing": "room begun",
  "move.illegal.avoid_twice": "not twice",
  "move.illegal.avoid_not_full": "not full",
  "move.illegal.avoid_empty_dungeon": "last room",
  "move.illegal.avoid_never": "not allowed",
};

/** Why a move is refused, in a sentence. */
export function refusalText(code: string, table: Table, detail = ""): string {
  if (code === "move.illegal.weapon_limit" && table.weapon) {
    return `That weapon only reaches ${reach(table.weapon)}.`;
  }
  return refusals[code] ?? detail;
}

/** The same in two or three words, for a button. */
export function refusalShort(code: string, table: Table): string {
  if (code === "move.illegal.weapon_limit" && table.weapon) {
    return `only ${reach(table.weapon)}`;
  }
  return shortRefusals[code] ?? "not now";
}
