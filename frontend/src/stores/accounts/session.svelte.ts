/** Who is playing. A visitor is nobody until he plays; then he is a guest. */
import { accountsApi } from "../../api/accounts";
import { Problem } from "../../logic/problem";
import { readItem, writeItem } from "../core/storage";
import type { Account } from "../../api/accounts";

const STORAGE_KEY = "scoundrel.known";

/** Whether this browser has had a session, so that strangers cost no refused request. */
function hadSession(): boolean {
  return readItem("localStorage", STORAGE_KEY) !== null;
}

function storeHadSession(yes: boolean): void {
  writeItem("localStorage", STORAGE_KEY, yes ? "1" : null);
}

class Session {
  account = $state.raw<Account | null>(null);
  #request: Promise<Account | null> | null = null;

  /** Whether this browser has been here before, as far as it remembers by itself. */
  get isKnown(): boolean {
    return this.account !== null || hadSession();
  }

  /** The account of this browser, or null for a stranger. */
  async find(): Promise<Account | null> {
    if (this.account || !hadSession()) return this.account;
    this.#request ??= this.#load();
    return this.#request;
  }

  /** The account of this browser, made if there is none. */
  async ensure(): Promise<Account> {
    const found = await this.find();
    if (found) return found;
    this.account = await accountsApi.becomeGuest();
    storeHadSession(true);
    return this.account;
  }

  /** After a sign-in: who it is now, whoever it was before. */
  async renew(): Promise<Account> {
    this.account = await accountsApi.account();
    storeHadSession(true);
    return this.account;
  }

  /** After a sign-out: a stranger again. */
  forget(): void {
    this.account = null;
    storeHadSession(false);
  }

  async #load(): Promise<Account | null> {
    try {
      this.account = await accountsApi.account();
    } catch (error) {
      if (!(error instanceof Problem) || ![401, 403].includes(error.status))
        throw error;
      storeHadSession(false);
    } finally {
      this.#request = null;
    }
    return this.account;
  }
}

export const session = new Session();
