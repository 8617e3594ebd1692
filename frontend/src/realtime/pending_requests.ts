/**
 * Requests sent over a socket that are not answered yet.
 *
 * A request is sent again on each new socket with the same id, so that the server
 * executes it once. If no answer comes, its REST fallback is called instead.
 */
import type { ServerFrame } from "./messages";
import { Problem, Unreachable } from "../logic/problem";

/** How long to wait before the REST fallback, with and without an open socket. */
const ANSWER_MS = 3_000;
const NO_SOCKET_MS = 1_200;
const FALLBACK_RETRY_MS = 4_000;
/** Error codes that ask to retry later. */
const RETRY_CODES = new Set(["server.busy", "socket.flood"]);

/**
 * Does the same as a frame by REST and returns what the answering frame would contain.
 */
export type RestFallback = () => Promise<unknown>;
type ErrorFrame = Extract<ServerFrame, { t: "error" }>;

interface PendingRequest {
  text: string;
  restFallback: RestFallback | null;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
  timer: ReturnType<typeof setTimeout> | null;
  isFallbackRunning: boolean;
}

export class PendingRequests {
  readonly #requests = new Map<string, PendingRequest>();
  /** Sends a text; returns false if there is no open socket. */
  readonly #send: (text: string) => boolean;

  constructor(send: (text: string) => boolean) {
    this.#send = send;
  }

  add(id: string, text: string, restFallback: RestFallback | null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#requests.set(id, {
        text,
        restFallback,
        resolve,
        reject,
        timer: null,
        isFallbackRunning: false,
      });
      const sent = this.#send(text);
      this.#scheduleFallback(id, sent ? ANSWER_MS : NO_SOCKET_MS);
    });
  }

  /** Settles the request whose id the frame carries. */
  handleFrame(frame: ServerFrame): void {
    const { id } = frame;
    const request = id === undefined ? undefined : this.#requests.get(id);
    if (id === undefined || !request) return;
    if (frame.t !== "error") request.resolve(frame.d);
    else if (RETRY_CODES.has(frame.d.code)) return this.#retryLater(id, frame);
    // The same Problem as from the REST call.
    else request.reject(new Problem({ status: 409, ...frame.d }));
    this.#remove(id);
  }

  /** Sends all unanswered requests again, on a new socket. */
  resendAll(): void {
    for (const { text } of this.#requests.values()) this.#send(text);
  }

  /** Rejects all requests, when the socket is closed. */
  rejectAll(): void {
    for (const [id, request] of this.#requests) {
      request.reject(new Unreachable());
      this.#remove(id);
    }
  }

  #retryLater(id: string, frame: ErrorFrame): void {
    setTimeout(() => {
      const request = this.#requests.get(id);
      if (request) this.#send(request.text);
    }, frame.d.retry_after_ms ?? 1_000);
  }

  #remove(id: string): void {
    const timer = this.#requests.get(id)?.timer;
    if (timer) clearTimeout(timer);
    this.#requests.delete(id);
  }

  #scheduleFallback(id: string, ms: number): void {
    const request = this.#requests.get(id);
    if (!request?.restFallback) return;
    request.timer = setTimeout(() => void this.#runFallback(id, request), ms);
  }

  async #runFallback(id: string, request: PendingRequest): Promise<void> {
    if (!request.restFallback || request.isFallbackRunning) return;
    request.isFallbackRunning = true;
    try {
      request.resolve(await request.restFallback());
      this.#remove(id);
    } catch (error) {
      if (isRetryable(error)) this.#scheduleFallback(id, FALLBACK_RETRY_MS);
      else {
        request.reject(error);
        this.#remove(id);
      }
    } finally {
      request.isFallbackRunning = false;
    }
  }
}

/**
 * Whether a failed fallback should be tried again: no answer, server error or rate
 * limit.
 */
function isRetryable(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Problem && (error.status >= 500 || error.status === 429);
}
