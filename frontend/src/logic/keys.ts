/** Maps key presses at the table to actions. */

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
/** The `key` of a KeyboardEvent for each action whose key was changed. */
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
/** Additional keys, unless the player assigned them to another action. */
const extraKeys: Readonly<Record<string, Action>> = { h: "help", " ": "confirm" };
const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;

const normalized = (key: string) => (key.length === 1 ? key.toLowerCase() : key);

export const keyOf = (action: Action, bindings: Bindings): string =>
  bindings[action] ?? defaultKeys[action];

/** The action of a key; null if it has none. */
export function actionOf(key: string, bindings: Bindings): Action | null {
  const normalizedKey = normalized(key);
  return (
    actions.find((action) => normalized(keyOf(action, bindings)) === normalizedKey) ??
    null
  );
}

/** Whether a key can be assigned. Keys for navigation and modifiers cannot. */
export const isBindable = (key: string): boolean =>
  key.length <= 16 &&
  !/^(Tab|Arrow.*|Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/.test(
    key,
  );

/** The key's name on a button: "W", "Space", "Esc". */
export function keyName(key: string): string {
  if (key === " ") return "Space";
  return key === "Escape" ? "Esc" : key;
}

/** The action of a key press; null if it has none at the table. */
export function keyActionOf(event: Pressed, bindings: Bindings = {}): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = arrows.find((key) => key === event.key);
  if (arrow) return { type: "move", key: arrow };
  // A held key must not play several cards.
  if (event.repeat) return null;
  const action = actionOf(event.key, bindings) ?? extraKeys[normalized(event.key)];
  if (!action) return null;
  const slot = /^card_(\d)$/.exec(action)?.[1];
  if (slot) return { type: "choose", slot: Number(slot) - 1 };
  return { type: action as Exclude<Action, `card_${number}`> };
}
