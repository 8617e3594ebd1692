/** The choices for a card, with their costs and labels. */
import type { LegalMove, Run, Table } from "../api/runs";
import { card } from "../logic/cards";
import { change } from "./format";
import { reach, refusalText, refusalShort } from "./story";

export type ChoiceKind = "armed" | "bare" | "drink" | "equip" | "avoid";
export type Harm = "none" | "hurt" | "death" | "heal" | "waste";

export interface Choice {
  kind: ChoiceKind;
  /** The move code to send, also when refused. */
  move: string;
  /** "Armed", "Bare-handed", "Drink", "Take up", "Avoid". */
  verb: string;
  /** "−4", "+7", "wasted", "drops longsword". */
  cost: string;
  /** "8", "you die": what is left of you. */
  after: string;
  harm: Harm;
  /** Why the move is not allowed; null if it is. */
  refusal: { long: string; short: string } | null;
  /** The whole choice as a sentence, for screen readers. */
  label: string;
}

type TableState = Pick<Run, "legal" | "blocked"> & Table;

function legal(run: TableState, move: string): LegalMove | null {
  return run.legal.find((entry) => entry.move === move) ?? null;
}

function refusalTexts(run: TableState, move: string): Choice["refusal"] {
  const blocked = run.blocked.find((entry) => entry.move === move);
  const code = blocked?.code ?? "";
  return {
    long: refusalText(code, run, blocked?.detail ?? "Not now."),
    short: refusalShort(code, run),
  };
}

function fight(run: TableState, code: string, armed: boolean): Choice {
  const move = code + (armed ? "w" : "b");
  const entry = legal(run, move);
  const base = {
    kind: armed ? ("armed" as const) : ("bare" as const),
    move,
    verb: armed ? "Armed" : "Bare",
  };
  const spoken = armed ? "Armed" : "Bare-handed";
  if (!entry) {
    const refusal = refusalTexts(run, move);
    const label = `${spoken}: ${refusal?.long ?? ""}`;
    return { ...base, cost: "", after: "", harm: "none", refusal, label };
  }
  const harm = entry.lethal ? "death" : entry.damage > 0 ? "hurt" : "none";
  const cost = entry.damage > 0 ? change(-entry.damage) : "free";
  const after = entry.lethal ? "you die" : String(entry.health_after);
  const left = entry.lethal ? "you die" : `leaves you ${entry.health_after}`;
  const label = `${spoken}: ${entry.damage === 0 ? "costs nothing" : `costs ${entry.damage}`}, ${left}`;
  return { ...base, cost, after, harm, refusal: null, label };
}

function drink(run: TableState, code: string): Choice {
  const entry = legal(run, code);
  const wasted = entry?.wasted ?? run.potion_used;
  const heal = entry?.heal ?? 0;
  return {
    kind: "drink",
    move: code,
    verb: wasted ? "Waste" : "Drink",
    cost: wasted ? "wasted" : `+${heal}`,
    after: String(entry?.health_after ?? run.health),
    harm: wasted ? "waste" : "heal",
    refusal: null,
    label: wasted
      ? "Waste: only the first potion in a room heals"
      : `Drink: gives ${heal}, leaves you ${entry?.health_after ?? run.health}`,
  };
}

function equip(run: TableState, code: string): Choice {
  const { weapon } = run;
  const heldCard = weapon && card(weapon.card);
  const limitText = weapon && weapon.limit !== null ? ` ${reach(weapon)}` : "";
  const drops = heldCard ? `drops ${heldCard.value}${limitText}` : "";
  return {
    kind: "equip",
    move: code,
    verb: "Take up",
    cost: drops || "fresh",
    after: "",
    harm: "none",
    refusal: null,
    label: heldCard
      ? `Take up the ${card(code).name}, dropping the ${heldCard.name}${limitText}`
      : `Take up the ${card(code).name}`,
  };
}

/** The choices of one card, in the order of their buttons. */
export function choicesOf(run: TableState, code: string): Choice[] {
  const { role } = card(code);
  if (role === "monster") return [fight(run, code, true), fight(run, code, false)];
  return [role === "potion" ? drink(run, code) : equip(run, code)];
}

export function avoidChoice(run: TableState): Choice {
  const refusal = legal(run, "avoid") ? null : refusalTexts(run, "avoid");
  return {
    kind: "avoid",
    move: "avoid",
    verb: "Avoid",
    cost: "",
    after: "",
    harm: "none",
    refusal,
    label: refusal
      ? `Avoid the room: ${refusal.long}`
      : "Avoid the room: all four go under the pile",
  };
}

/** The best outcome of a card, for the tag on it. */
export interface Tag {
  text: string;
  harm: Harm | "blocked";
}

export function tagOf(run: TableState, code: string): Tag | null {
  const choices = choicesOf(run, code);
  const best = choices.find((choice) => choice.refusal === null);
  if (!best || best.kind === "equip") return null;
  const chained = choices.some((c) => c.refusal !== null) && run.weapon !== null;
  if (best.harm === "death") return { text: "you die", harm: "death" };
  if (chained) return { text: best.cost, harm: "blocked" };
  return { text: best.cost, harm: best.harm };
}

/** A card and its choices as sentences, for screen readers. */
export function cardLabel(run: TableState, code: string, formal: string): string {
  const { name, role } = card(code);
  const choices = choicesOf(run, code).map((choice) => choice.label.replace(/\.$/, ""));
  return `${name}, ${formal}, ${role}. ${choices.join(". ")}.`;
}
