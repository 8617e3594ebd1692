/** What a key means at the table. Pure: the page hands events in and does the deeds. */

export type Wish =
  | { wish: "choose"; slot: number }
  | { wish: "armed" | "bare" | "avoid" | "confirm" | "unchoose" | "help" }
  | { wish: "move"; key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" };

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
}

const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
const letters: Record<string, Wish> = {
  w: { wish: "armed" },
  b: { wish: "bare" },
  a: { wish: "avoid" },
  "?": { wish: "help" },
  h: { wish: "help" },
  enter: { wish: "confirm" },
  " ": { wish: "confirm" },
  escape: { wish: "unchoose" },
};

/** The wish behind a key press; null if it is none of the table's business. */
export function wishOf(event: Pressed): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = arrows.find((key) => key === event.key);
  if (arrow) return { wish: "move", key: arrow };
  // A held key must not play card after card.
  if (event.repeat) return null;
  if (/^[1-4]$/.test(event.key)) return { wish: "choose", slot: Number(event.key) - 1 };
  return letters[event.key.toLowerCase()] ?? null;
}
