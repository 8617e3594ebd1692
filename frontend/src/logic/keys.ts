/** What a key means at the table. Pure: the page hands events in and does the deeds. */

export type KeyAction =
  | { type: "choose"; slot: number }
  | { type: "armed" | "bare" | "avoid" | "confirm" | "unchoose" | "help" }
  | { type: "move"; key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" };

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

export const defaultKeys: Readonly<Record<Action, string>> = {
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
const extraKeys: Readonly<Record<string, Action>> = { h: "help", " ": "confirm" };
const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;

const normalized = (key: string) => (key.length === 1 ? key.toLowerCase() : key);

export const keyOf = (action: Action, bindings: Bindings): string =>
  bindings[action] ?? defaultKeys[action];

/** What a key does already; null if it is free. */
export function actionOf(key: string, bindings: Bindings): Action | null {
  const wanted = normalized(key);
  return (
    actions.find((action) => normalized(keyOf(action, bindings)) === wanted) ?? null
  );
}

/** Whether a key can be given a meaning: not those that the page itself moves by. */
export const isBindable = (key: string): boolean =>
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
export function keyActionOf(event: Pressed, bindings: Bindings = {}): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = arrows.find((key) => key === event.key);
  if (arrow) return { type: "move", key: arrow };
  // A held key must not play card after card.
  if (event.repeat) return null;
  const action = actionOf(event.key, bindings) ?? extraKeys[normalized(event.key)];
  if (!action) return null;
  const slot = /^card_(\d)$/.exec(action)?.[1];
  if (slot) return { type: "choose", slot: Number(slot) - 1 };
  return { type: action as Exclude<Action, `card_${number}`> };
}
