/** Who is playing. A visitor is nobody until he plays; then he is a guest. */
import { accountsApi } from "../../api/accounts";
import { Problem } from "../../logic/problem";
import { readItem, writeItem } from "../core/storage";
import type { Account } from "../../api/accounts";

const MARK = "scoundrel.known";

/** Whether this browser has had a session, so that strangers cost no refused request. */
function known(): boolean {
  return readItem("localStorage", MARK) !== null;
}

function remember(yes: boolean): void {
  writeItem("localStorage", MARK, yes ? "1" : null);
}

class Session {
  account = $state.raw<Account | null>(null);
  #asking: Promise<Account | null> | null = null;

  /** Whether this browser has been here before, as far as it remembers by itself. */
  get isKnown(): boolean {
    return this.account !== null || known();
  }

  /** The account of this browser, or null for a stranger. */
  async find(): Promise<Account | null> {
    if (this.account || !known()) return this.account;
    this.#asking ??= this.#ask();
    return this.#asking;
  }

  /** The account of this browser, made if there is none. */
  async ensure(): Promise<Account> {
    const found = await this.find();
    if (found) return found;
    this.account = await accountsApi.becomeGuest();
    remember(true);
    return this.account;
  }

  /** After a sign-in: who it is now, whoever it was before. */
  async renew(): Promise<Account> {
    this.account = await accountsApi.account();
    remember(true);
    return this.account;
  }

  /** After a sign-out: a stranger again. */
  forget(): void {
    this.account = null;
    remember(false);
  }

  async #ask(): Promise<Account | null> {
    try {
      this.account = await accountsApi.account();
    } catch (error) {
      if (!(error instanceof Problem) || ![401, 403].includes(error.status))
        throw error;
      remember(false);
    } finally {
      this.#asking = null;
    }
    return this.account;
  }
}

export const session = new Session();
