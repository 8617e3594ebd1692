/** Showing who you are once more, when the server asks; one dialog for all who need it. */
import type { Flow, Reply } from "../../api/auth";
import { Problem } from "../../logic/problem";
import { session } from "./session.svelte";

class Reauthentication {
  /** The ways in which it can be shown, while it is asked for. */
  flows = $state.raw<readonly Flow[] | null>(null);
  #finish: ((isConfirmed: boolean) => void) | null = null;

  /** Asks; true once it is shown, false if the person would rather not. */
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
   * Makes a call of a person signed in, asking for proof if the server does.
   * Throws Problem reauthentication.declined, or session.ended if nobody is signed in any more.
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

  /** The same for the REST calls that want proof: taking all along, and leaving. */
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

/** The ways that are left where the server only says whether there is a password. */
function restFlows(hasPassword: boolean): readonly Flow[] {
  if (hasPassword) return [{ id: "reauthenticate" }];
  const email = session.account?.email;
  return [
    { id: "mfa_reauthenticate", types: ["webauthn"] },
    ...(email ? [{ id: "reauthenticate_by_code", recipients: [{ email }] }] : []),
  ];
}

export const reauthentication = new Reauthentication();
