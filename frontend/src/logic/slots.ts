/**
 * Assigns the room's cards to slots.
 *
 * The server's list closes its gaps when a card is faced. The page leaves them open, so
 * that no card moves under a finger. A new room fills the slots from the first, carried
 * card first.
 */
export type Slots = readonly (string | null)[];

export const SLOTS = 4;

export function arrangeSlots(room: readonly string[], before: Slots | null): Slots {
  const cardsBefore = before?.filter((code) => code !== null) ?? [];
  const shrunk =
    room.length > 0 &&
    room.length < cardsBefore.length &&
    room.every((c) => cardsBefore.includes(c));
  if (before && shrunk) {
    return before.map((code) => (code !== null && room.includes(code) ? code : null));
  }
  const same =
    room.length === cardsBefore.length && room.every((c) => cardsBefore.includes(c));
  if (before && same && room.length > 0) return before;
  return Array.from({ length: SLOTS }, (_, i) => room[i] ?? null);
}

/** The slot nearest to `from` that still holds a card; null in an empty room. */
export function nearest(slots: Slots, from: number): number | null {
  const full = slots.flatMap((code, i) => (code === null ? [] : [i]));
  full.sort((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b);
  return full[0] ?? null;
}

/** The next slot holding a card in a direction, over `columns` columns; else `from`. */
export function step(
  slots: Slots,
  from: number,
  key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown",
  columns: number,
): number {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[
    key
  ];
  for (let at = from + by; at >= 0 && at < slots.length; at += by) {
    if (slots[at] !== null) return at;
  }
  return from;
}
