/** Texts of the server in which cards stand in square brackets, such as "the [9C]". */
import { nameAndValue } from "./cards";

export interface Segment {
  text: string;
  /** The code of the card that the text names; null for other text. */
  card: string | null;
}

const CARD = /\[([2-9TJQKA][CSDH])\]/;

/** The parts of a text, in order: words, and the names of cards. */
export function cardSegments(text: string): Segment[] {
  // Splitting by a group gives words and codes in turn.
  return text.split(CARD).flatMap((part, i): Segment[] => {
    if (i % 2 === 1) return [{ text: nameAndValue(part), card: part }];
    return part === "" ? [] : [{ text: part, card: null }];
  });
}

/** The text with the names of the cards, for screen readers. */
export function plainCardText(text: string): string {
  return cardSegments(text)
    .map((segment) => segment.text)
    .join("");
}
