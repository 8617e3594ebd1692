/**
 * The signed-in account. Visitors have none until they play; then they become guests.
 */
import { accountsApi } from "../../api/accounts";
import { Problem } from "../../logic/problem";
import { readItem, writeItem } from "../core/storage";
import type { Account } from "../../api/accounts";

const STORAGE_KEY = "scoundrel.known";

/**
 * Whether this browser had a session before, to avoid a refused request for new
 * visitors.
 */
function hadSession(): boolean {
  return readItem("localStorage", STORAGE_KEY) !== null;
}

function storeHadSession(yes: boolean): void {
  writeItem("localStorage", STORAGE_KEY, yes ? "1" : null);
}

class Session {
  account = $state.raw<Account | null>(null);
  #request: Promise<Account | null> | null = null;

  /** Whether this browser has or had a session. */
  get isKnown(): boolean {
    return this.account !== null || hadSession();
  }

  /** The account of this browser; null if it has none. */
  async find(): Promise<Account | null> {
    if (this.account || !hadSession()) return this.account;
    this.#request ??= this.#load();
    return this.#request;
  }

  /** The account of this browser; creates a guest if it has none. */
  async ensure(): Promise<Account> {
    const found = await this.find();
    if (found) return found;
    this.account = await accountsApi.becomeGuest();
    storeHadSession(true);
    return this.account;
  }

  /** Reloads the account, after a sign-in. */
  async renew(): Promise<Account> {
    this.account = await accountsApi.account();
    storeHadSession(true);
    return this.account;
  }

  /** Forgets the account, after a sign-out. */
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
