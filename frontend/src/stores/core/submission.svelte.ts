/** The state of a form's submission: busy, error and errors by field. */
import { Problem } from "../../logic/problem";
import { errorMessage } from "../../copy/errors";
import { fieldErrorText } from "../../copy/accounts";

/** Error codes of a whole call that belong to one field. */
const fields: readonly (readonly [string, string])[] = [
  ["name.", "name"],
  ["account.password_wrong", "password"],
];

export class Submission {
  busy = $state(false);
  /** Errors by field name. */
  fieldErrors = $state.raw<Readonly<Record<string, string>>>({});
  /** The error that belongs to no field. */
  error = $state("");

  /** Runs an action; returns false and sets the errors if it fails. */
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

  /** Sets the errors from a thrown error. */
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
    let formError = "";
    if (Object.keys(fieldErrors).length === 0) {
      const problem = error instanceof Problem ? error : null;
      formError = problem
        ? fieldErrorText(problem.code, problem.message, problem.body.retry_after_s)
        : errorMessage(error);
      const field = fields.find(([code]) => problem?.code.startsWith(code))?.[1];
      if (field) [fieldErrors[field], formError] = [formError, ""];
    }
    this.fieldErrors = fieldErrors;
    this.error = formError;
  }

  setFieldErrors(fieldErrors: Readonly<Record<string, string>>): void {
    this.fieldErrors = fieldErrors;
    this.error = "";
  }

  clear(): void {
    this.setFieldErrors({});
  }
}
