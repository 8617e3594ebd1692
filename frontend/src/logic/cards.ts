/** Parses card codes such as "TD" into rank, suit, value, role and name. */
import { monsters, potions, weapons, type Character } from "./card_characters";

export type Suit = "C" | "S" | "D" | "H";
export type Role = "monster" | "weapon" | "potion";

export interface Card {
  /** As in the API: "TD". */
  code: string;
  suit: Suit;
  /** As printed: "10", "J". */
  rank: string;
  value: number;
  role: Role;
  character: Character;
  name: string;
}

const values: Record<string, number> = { T: 10, J: 11, Q: 12, K: 13, A: 14 };
const suitNames: Record<Suit, string> = {
  C: "clubs",
  S: "spades",
  D: "diamonds",
  H: "hearts",
};
const rankNames: Record<string, string> = {
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
};
const casts = { C: monsters, S: monsters, D: weapons, H: potions };
const roles: Record<Suit, Role> = {
  C: "monster",
  S: "monster",
  D: "weapon",
  H: "potion",
};
const known = new Map<string, Card>();

/** Parses a card code. Throws an Error if no such card exists. */
export function card(code: string): Card {
  const seen = known.get(code);
  if (seen) return seen;
  const short = code.charAt(0);
  const suit = code.charAt(1) as Suit;
  const character = casts[suit]?.[short];
  if (code.length !== 2 || !character) throw new Error(`no such card: ${code}`);
  const read: Card = {
    code,
    suit,
    rank: short === "T" ? "10" : short,
    value: values[short] ?? Number(short),
    role: roles[suit],
    character,
    name: character.name,
  };
  known.set(code, read);
  return read;
}

/** "8 of spades", "jack of clubs". */
export function formalName(code: string): string {
  const { rank, suit } = card(code);
  return `${rankNames[rank] ?? rank} of ${suitNames[suit]}`;
}

/** "ghoul 8". */
export function nameAndValue(code: string): string {
  const { name, value } = card(code);
  return `${name} ${value}`;
}

/** The card a move code plays, or null for "avoid". */
export function cardOfMove(move: string): string | null {
  return move === "avoid" ? null : move.slice(0, 2);
}
