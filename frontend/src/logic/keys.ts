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

export const actions = [
  "card_1",
  "card_2",
  "card_3",
  "card_4",
  "armed",
  "bare",
  "avoid",
  "confirm",
  "unchoose",
  "help",
] as const;
export type Action = (typeof actions)[number];
/** A KeyboardEvent's `key` for each action that was given another than its own. */
export type Bindings = Readonly<Partial<Record<Action, string>>>;

export const ownKeys: Readonly<Record<Action, string>> = {
  card_1: "1",
  card_2: "2",
  card_3: "3",
  card_4: "4",
  armed: "w",
  bare: "b",
  avoid: "a",
  confirm: "Enter",
  unchoose: "Escape",
  help: "?",
};
/** Second keys, as long as nobody gave them another meaning. */
const spares: Readonly<Record<string, Action>> = { h: "help", " ": "confirm" };
const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;

const folded = (key: string) => (key.length === 1 ? key.toLowerCase() : key);

export const keyOf = (action: Action, bindings: Bindings): string =>
  bindings[action] ?? ownKeys[action];

/** What a key does already; null if it is free. */
export function actionOf(key: string, bindings: Bindings): Action | null {
  const wanted = folded(key);
  return actions.find((action) => folded(keyOf(action, bindings)) === wanted) ?? null;
}

/** Whether a key can be given a meaning: not those that the page itself moves by. */
export const bindable = (key: string): boolean =>
  key.length <= 16 &&
  !/^(Tab|Arrow.*|Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/.test(
    key,
  );

/** A key as it is written on a button: "W", "Space", "Esc". */
export function keyName(key: string): string {
  if (key === " ") return "Space";
  return key === "Escape" ? "Esc" : key;
}

/** The wish behind a key press; null if it is none of the table's business. */
export function wishOf(event: Pressed, bindings: Bindings = {}): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = arrows.find((key) => key === event.key);
  if (arrow) return { wish: "move", key: arrow };
  // A held key must not play card after card.
  if (event.repeat) return null;
  const action = actionOf(event.key, bindings) ?? spares[folded(event.key)];
  if (!action) return null;
  const slot = /^card_(\d)$/.exec(action)?.[1];
  if (slot) return { wish: "choose", slot: Number(slot) - 1 };
  return { wish: action as Exclude<Action, `card_${number}`> };
}
