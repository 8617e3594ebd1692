/** What can go wrong with a request: the server said no, or nothing was heard. */

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
