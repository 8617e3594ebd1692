/**
 * The player's settings: stored on this device, and set on the page as data attributes.
 */
import { actions, type Bindings } from "../../logic/keys";
import { readItem, writeItem } from "./storage";

export interface Settings {
  theme: "system" | "dark" | "light" | "contrast";
  suits: "two" | "four";
  patterns: boolean;
  motion: "system" | "full" | "none";
  sound: boolean;
  bigText: boolean;
  /** The default ruleset; "" for the server's default. */
  ruleset: string;
  keys: Bindings;
  /** The player knows the rules: they finished a run or the lesson, or said so. */
  learned: boolean;
}

export const defaults: Settings = {
  theme: "system",
  suits: "two",
  patterns: false,
  motion: "system",
  sound: false,
  bigText: false,
  ruleset: "",
  keys: {},
  learned: false,
};
const STORAGE_KEY = "scoundrel.settings";

/** Parses stored settings; anything invalid is ignored. */
export function parseSettings(text: string | null): Settings {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const found = kept !== null && typeof kept === "object" ? kept : {};
  return { ...defaults, ...validSettings(found) };
}

/** The valid settings among some values. */
export function validSettings(values: object): Partial<Settings> {
  const found: Partial<Settings> = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        name in defaults &&
        value !== null &&
        typeof value === typeof defaults[name as keyof Settings],
    ),
  );
  if (found.keys) {
    const keys = Object.entries(found.keys).filter(
      ([action, key]) =>
        (actions as readonly string[]).includes(action) && typeof key === "string",
    );
    found.keys = Object.fromEntries(keys);
  }
  return found;
}

export const settings: Settings = $state(
  parseSettings(readItem("localStorage", STORAGE_KEY)),
);

type Listener = (name: keyof Settings) => void;
let listener: Listener = () => undefined;

/** Sets the one listener for changes, which syncs preferences. */
export function onChange(newListener: Listener): void {
  listener = newListener;
}

export function setSetting<K extends keyof Settings>(
  name: K,
  value: Settings[K],
): void {
  mergeSettings({ [name]: value });
  listener(name);
}

/** Merges settings without calling the listener. */
export function mergeSettings(values: Partial<Settings>): void {
  Object.assign(settings, values);
  writeItem("localStorage", STORAGE_KEY, JSON.stringify(settings));
}

/** Sets the data attributes of the page. Call from an effect, to follow changes. */
export function applySettings(root: HTMLElement): void {
  const put = (name: string, value: string | null) => {
    if (value === null) root.removeAttribute(`data-${name}`);
    else root.dataset[name] = value;
  };
  put("theme", settings.theme === "system" ? null : settings.theme);
  put("suits", settings.suits === "four" ? "four" : null);
  put("patterns", settings.patterns ? "on" : null);
  put("motion", settings.motion === "system" ? null : settings.motion);
  put("text", settings.bigText ? "big" : null);
}

/** Whether animations are allowed, by the player's setting or else the system's. */
export function isMotionAllowed(): boolean {
  if (settings.motion !== "system") return settings.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
