/** The two errors of a request: the server refused, or it did not answer. */

export interface ProblemBody {
  status: number;
  title?: string;
  detail?: string;
  code?: string;
  errors?: { field: string; code: string; detail: string }[];
  [extra: string]: unknown;
}

/** A refusal of the server (problem+json) with a stable code. */
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

/** No answer: the connection or a gateway failed. */
export class Unreachable extends Error {
  /** When the server asked to retry; null if it did not say. */
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null = null) {
    super("No connection to the server.");
    this.retryAfterMs = retryAfterMs;
  }
}
