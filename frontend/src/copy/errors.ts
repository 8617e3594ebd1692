/** What to tell the player about a failed request. */
import { Problem, Unreachable } from "../logic/problem";
import { restrictionText } from "./moderation";

/** The text to show for any thrown error. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem) {
    const detail = error.body.errors?.[0]?.detail ?? error.message;
    return error.body.appeal ? `${detail} ${restrictionText(error.body)}` : detail;
  }
  if (error instanceof Unreachable) return "No connection to the server. Try again.";
  return "Something went wrong. Try again.";
}
