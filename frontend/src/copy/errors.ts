/** What to tell the player about a failed request. */
import { Problem, Unreachable } from "../logic/problem";
import { restrictionText } from "./moderation";

/** A errorMessage for a person, whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem) {
    const said = error.body.errors?.[0]?.detail ?? error.message;
    return error.body.appeal ? `${said} ${restrictionText(error.body)}` : said;
  }
  if (error instanceof Unreachable) return "No connection to the server. Try again.";
  return "Something went wrong. Try again.";
}
