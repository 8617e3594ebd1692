/** One try of a form: busy or not, what was refused, and at which field. */
import { Problem } from "../../logic/problem";
import { sentence } from "../../copy/errors";
import { faultOf } from "../../copy/accounts";

/** Refusals of a whole call that are really about one field. */
const fields: readonly (readonly [string, string])[] = [
  ["name.", "name"],
  ["account.password_wrong", "password"],
];

export class Attempt {
  busy = $state(false);
  /** What is wrong with a field, by its name. */
  faults = $state.raw<Readonly<Record<string, string>>>({});
  /** What is wrong with the whole. */
  refused = $state("");

  /** Does the deed; false if it was refused, and then says why. */
  async run(deed: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.clear();
    try {
      await deed();
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Puts each reason of a refusal where it belongs. */
  refuse(error: unknown): void {
    const found = error instanceof Problem ? (error.body.errors ?? []) : [];
    const faults: Record<string, string> = {};
    for (const { field, code, detail } of found) {
      if (!field) continue;
      const words = faultOf(code, detail);
      faults[field] = faults[field] ? `${faults[field]} ${words}` : words;
    }
    let whole = "";
    if (Object.keys(faults).length === 0) {
      const problem = error instanceof Problem ? error : null;
      whole = problem
        ? faultOf(problem.code, problem.message, problem.body.retry_after_s)
        : sentence(error);
      const field = fields.find(([code]) => problem?.code.startsWith(code))?.[1];
      if (field) [faults[field], whole] = [whole, ""];
    }
    this.faults = faults;
    this.refused = whole;
  }

  fault(faults: Readonly<Record<string, string>>): void {
    this.faults = faults;
    this.refused = "";
  }

  clear(): void {
    this.fault({});
  }
}
