/** What can go wrong with a request: the server said no, or nothing was heard. */

import { barWords } from "../text/moderation";

export interface ProblemBody {
  status: number;
  title?: string;
  detail?: string;
  code?: string;
  errors?: { field: string; code: string; detail: string }[];
  [extra: string]: unknown;
}

/** The server's refusal: problem+json, with its stable code. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(body.detail ?? body.title ?? `The server answered ${body.status}.`);
    this.status = body.status;
    this.code = body.code ?? "unknown";
    this.body = body;
  }
}

/** No answer: the connection failed, or something between us and the server did. */
export class Unreachable extends Error {
  /** The server's own wish for when to come back, if it said one. */
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null = null) {
    super("No connection to the server.");
    this.retryAfterMs = retryAfterMs;
  }
}

/** A sentence for a person, whatever was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof Problem) {
    const said = error.body.errors?.[0]?.detail ?? error.message;
    return error.body.appeal ? `${said} ${barWords(error.body)}` : said;
  }
  if (error instanceof Unreachable) return "No connection to the server. Try again.";
  return "Something went wrong. Try again.";
}
