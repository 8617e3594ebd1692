/**
 * Reauthentication: confirms the player's identity when the server asks for it. One
 * dialog serves all callers.
 */
import type { Flow, Reply } from "../../api/auth";
import { Problem } from "../../logic/problem";
import { session } from "./session.svelte";

class Reauthentication {
  /** The possible methods while the dialog is open; null otherwise. */
  flows = $state.raw<readonly Flow[] | null>(null);
  #finish: ((isConfirmed: boolean) => void) | null = null;

  /** Opens the dialog; true once confirmed, false if cancelled. */
  ask(flows: readonly Flow[]): Promise<boolean> {
    this.#finish?.(false);
    this.flows = flows;
    return new Promise((resolve) => (this.#finish = resolve));
  }

  finish(isConfirmed: boolean): void {
    this.flows = null;
    this.#finish?.(isConfirmed);
    this.#finish = null;
  }

  /**
   * Runs a call that may need reauthentication. Throws Problem
   * reauthentication.declined, or session.ended if the player is signed out.
   */
  async run<T>(call: () => Promise<Reply<T>>): Promise<Reply<T>> {
    let reply = await call();
    if (reply.state === "reauthenticate") {
      await this.#require(reply.flows);
      reply = await call();
    }
    if (reply.state === "done") return reply;
    session.forget();
    throw new Problem({
      status: 401,
      code: "session.ended",
      detail: "Your session has ended. Sign in again.",
    });
  }

  /** The same for REST calls: data export and account deletion. */
  async runRest<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "account.reauthenticate") {
        throw error;
      }
      await this.#require(restFlows(error.body.has_password === true));
      return call();
    }
  }

  async #require(flows: readonly Flow[]): Promise<void> {
    if (await this.ask(flows)) return;
    throw new Problem({
      status: 401,
      code: "reauthentication.declined",
      detail: "Nothing has changed: confirm your identity first.",
    });
  }
}

/**
 * The possible methods for REST calls, where the server only says whether there is a
 * password.
 */
function restFlows(hasPassword: boolean): readonly Flow[] {
  if (hasPassword) return [{ id: "reauthenticate" }];
  const email = session.account?.email;
  return [
    { id: "mfa_reauthenticate", types: ["webauthn"] },
    ...(email ? [{ id: "reauthenticate_by_code", recipients: [{ email }] }] : []),
  ];
}

export const reauthentication = new Reauthentication();
