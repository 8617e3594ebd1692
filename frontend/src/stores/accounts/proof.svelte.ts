/** Showing who you are once more, when the server asks; one dialog for all who need it. */
import type { Flow, Reply } from "../../api/auth";
import { Problem } from "../../logic/problem";
import { session } from "./session.svelte";

class Proof {
  /** The ways in which it can be shown, while it is asked for. */
  flows = $state.raw<readonly Flow[] | null>(null);
  #settle: ((shown: boolean) => void) | null = null;

  /** Asks; true once it is shown, false if the person would rather not. */
  ask(flows: readonly Flow[]): Promise<boolean> {
    this.#settle?.(false);
    this.flows = flows;
    return new Promise((resolve) => (this.#settle = resolve));
  }

  settle(shown: boolean): void {
    this.flows = null;
    this.#settle?.(shown);
    this.#settle = null;
  }

  /**
   * Makes a call of a person signed in, asking for proof if the server does.
   * Throws Problem proof.declined, or session.ended if nobody is signed in any more.
   */
  async through<T>(call: () => Promise<Reply<T>>): Promise<Reply<T>> {
    let reply = await call();
    if (reply.state === "prove") {
      await this.#demand(reply.flows);
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
  async throughRest<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "account.reauthenticate") {
        throw error;
      }
      await this.#demand(ways(error.body.has_password === true));
      return call();
    }
  }

  async #demand(flows: readonly Flow[]): Promise<void> {
    if (await this.ask(flows)) return;
    throw new Problem({
      status: 401,
      code: "proof.declined",
      detail: "Nothing has changed: that needs a proof of who you are.",
    });
  }
}

/** The ways that are left where the server only says whether there is a password. */
function ways(hasPassword: boolean): readonly Flow[] {
  if (hasPassword) return [{ id: "reauthenticate" }];
  const email = session.account?.email;
  return [
    { id: "mfa_reauthenticate", types: ["webauthn"] },
    ...(email ? [{ id: "reauthenticate_by_code", recipients: [{ email }] }] : []),
  ];
}

export const proof = new Proof();
