/**
 * Syncs the settings with the account: applied after a sign-in, sent after each change.
 * The device also stores them, and uses those while nothing can be sent.
 */
import { accountsApi, type Preferences } from "../../api/accounts";
import { Problem } from "../../logic/problem";
import type { Account } from "../../api/accounts";
import { session } from "../accounts/session.svelte";
import {
  mergeSettings,
  defaults,
  validSettings,
  onChange,
  settings,
  type Settings,
} from "./settings.svelte";
import { readItem, writeItem } from "./storage";

type Name = keyof Settings;
const WAIT_MS = 600;
const STORAGE_KEY = "scoundrel.unsent";
const names = Object.keys(defaults) as Name[];

/** The settings under the server's names. */
export function preferencesOf(changed: Iterable<Name>): Preferences {
  const found: Record<string, unknown> = {};
  for (const name of changed) {
    if (name === "bigText") found.big_text = settings.bigText;
    else if (name === "ruleset") found.ruleset = settings.ruleset || null;
    else found[name] = settings[name];
  }
  return found as Preferences;
}

/** An account's preferences under the page's names; unknown ones are dropped. */
export function settingsOf(preferences: Account["preferences"]): Partial<Settings> {
  const { big_text, ...rest } = preferences;
  return validSettings({ ...rest, bigText: big_text });
}

/** The names of settings that are not sent yet, stored on the device. */
class Unsent {
  #names: Set<Name>;

  constructor() {
    let kept: unknown = [];
    try {
      kept = JSON.parse(readItem("localStorage", STORAGE_KEY) ?? "[]");
    } catch {
      // Not JSON: nothing is known to be unsent.
    }
    const found = Array.isArray(kept) ? kept : [];
    this.#names = new Set(names.filter((name) => found.includes(name)));
  }

  get all(): readonly Name[] {
    return [...this.#names];
  }

  put(changed: readonly Name[]): void {
    this.#names = new Set(changed);
    writeItem("localStorage", STORAGE_KEY, JSON.stringify(changed));
  }
}

const unsent = new Unsent();
let timer: ReturnType<typeof setTimeout> | undefined;
let appliedAccountId = "";

async function send(): Promise<void> {
  const changed = unsent.all;
  if (!session.account || changed.length === 0) return;
  unsent.put([]);
  try {
    await accountsApi.update({ preferences: preferencesOf(changed) });
  } catch (error) {
    // Refusals are final; connection failures are retried at the next change or visit.
    if (!(error instanceof Problem))
      unsent.put([...new Set([...changed, ...unsent.all])]);
  }
}

function sendSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void send(), WAIT_MS);
}

/** Applies the account's preferences. Call from an effect, to follow sign-ins. */
export function applyAccountPreferences(account: Account | null): void {
  if (!account || account.id === appliedAccountId) {
    appliedAccountId = account?.id ?? "";
    return;
  }
  appliedAccountId = account.id;
  const received = Object.entries(settingsOf(account.preferences));
  mergeSettings(
    Object.fromEntries(received.filter(([name]) => !unsent.all.includes(name as Name))),
  );
  // A new guest keeps this device's settings; another account does not.
  const isNew = account.is_guest && Object.keys(account.preferences).length === 0;
  const changed = names.filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(defaults[name]),
  );
  if (isNew && changed.length > 0) unsent.put(changed);
  if (unsent.all.length > 0) sendSoon();
}

onChange((name) => {
  if (!session.account) return;
  unsent.put([...new Set([...unsent.all, name])]);
  sendSoon();
});
