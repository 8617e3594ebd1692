/**
 * Settings that follow the account: taken over at a sign-in, sent at each change.
 * This device keeps them too, and goes on with those where nothing can be sent.
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

/** The same settings under the server's names. */
export function preferencesOf(wanted: Iterable<Name>): Preferences {
  const found: Record<string, unknown> = {};
  for (const name of wanted) {
    if (name === "bigText") found.big_text = settings.bigText;
    else if (name === "ruleset") found.ruleset = settings.ruleset || null;
    else found[name] = settings[name];
  }
  return found as Preferences;
}

/** An account's preferences under our names, without what is none of ours. */
export function settingsOf(preferences: Account["preferences"]): Partial<Settings> {
  const { big_text, ...rest } = preferences;
  return validSettings({ ...rest, bigText: big_text });
}

/** Changes that the server has not got yet; they outlive the page. */
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

  put(wanted: readonly Name[]): void {
    this.#names = new Set(wanted);
    writeItem("localStorage", STORAGE_KEY, JSON.stringify(wanted));
  }
}

const unsent = new Unsent();
let timer: ReturnType<typeof setTimeout> | undefined;
let appliedAccountId = "";

async function send(): Promise<void> {
  const wanted = unsent.all;
  if (!session.account || wanted.length === 0) return;
  unsent.put([]);
  try {
    await accountsApi.update({ preferences: preferencesOf(wanted) });
  } catch (error) {
    // Refused is refused; unheard is tried again at the next change or visit.
    if (!(error instanceof Problem))
      unsent.put([...new Set([...wanted, ...unsent.all])]);
  }
}

function sendSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void send(), WAIT_MS);
}

/** Takes over what the account prefers; call from an effect, it follows sign-ins. */
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
  // A new guest is whoever set this device up; another's account is not.
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
