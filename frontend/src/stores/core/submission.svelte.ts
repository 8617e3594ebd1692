/** One try of a form: busy or not, what was refused, and at which field. */
import { Problem } from "../../logic/problem";
import { errorMessage } from "../../copy/errors";
import { fieldErrorText } from "../../copy/accounts";

/** Refusals of a whole call that are really about one field. */
const fields: readonly (readonly [string, string])[] = [
  ["name.", "name"],
  ["account.password_wrong", "password"],
];

export class Submission {
  busy = $state(false);
  /** What is wrong with a field, by its name. */
  fieldErrors = $state.raw<Readonly<Record<string, string>>>({});
  /** What is wrong with the whole. */
  error = $state("");

  /** Does the deed; false if it was refused, and then says why. */
  async run(action: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.clear();
    try {
      await action();
      return true;
    } catch (error) {
      this.setError(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Puts each reason of a refusal where it belongs. */
  setError(error: unknown): void {
    const found = error instanceof Problem ? (error.body.errors ?? []) : [];
    const fieldErrors: Record<string, string> = {};
    for (const { field, code, detail } of found) {
      if (!field) continue;
      const words = fieldErrorText(code, detail);
      fieldErrors[field] = fieldErrors[field]
        ? `${fieldErrors[field]} ${words}`
        : words;
    }
    let whole = "";
    if (Object.keys(fieldErrors).length === 0) {
      const problem = error instanceof Problem ? error : null;
      whole = problem
        ? fieldErrorText(problem.code, problem.message, problem.body.retry_after_s)
        : errorMessage(error);
      const field = fields.find(([code]) => problem?.code.startsWith(code))?.[1];
      if (field) [fieldErrors[field], whole] = [whole, ""];
    }
    this.fieldErrors = fieldErrors;
    this.error = whole;
  }

  setFieldErrors(fieldErrors: Readonly<Record<string, string>>): void {
    this.fieldErrors = fieldErrors;
    this.error = "";
  }

  clear(): void {
    this.setFieldErrors({});
  }
}
