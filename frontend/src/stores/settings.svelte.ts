/** What the player set: kept on this device, and on the page as data attributes. */

export interface Settings {
  theme: "system" | "dark" | "light" | "contrast";
  suits: "two" | "four";
  patterns: boolean;
  motion: "system" | "full" | "none";
  sound: boolean;
  bigText: boolean;
}

export const defaults: Settings = {
  theme: "system",
  suits: "two",
  patterns: false,
  motion: "system",
  sound: false,
  bigText: false,
};
const PLACE = "scoundrel.settings";

/** Reads kept settings, forgiving of anything that is not one of ours. */
export function parse(text: string | null): Settings {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const found = kept !== null && typeof kept === "object" ? kept : {};
  const known = Object.entries(found).filter(
    ([name, value]) =>
      name in defaults && typeof value === typeof defaults[name as keyof Settings],
  );
  return { ...defaults, ...Object.fromEntries(known) };
}

function stored(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

export const settings: Settings = $state(parse(stored()));

export function change<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    // Storage may be refused; the setting then lasts as long as the page.
  }
}

/** Puts the settings on the page; call from an effect, so that it follows changes. */
export function show(root: HTMLElement): void {
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

/** Whether things may move: what the player said, else what the system says. */
export function mayMove(): boolean {
  if (settings.motion !== "system") return settings.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
