/**
 * What was asked over a socket and is not answered yet.
 *
 * A question is sent again on each new socket under the same id, so that it is done
 * once. Where no answer comes it is put to its REST twin, whose answer then counts.
 */
import type { ServerFrame } from "./messages";
import { Problem, Unreachable } from "../logic/problem";

/** How long an open socket, and one that is being looked for, may take to answer. */
const ANSWER_MS = 3_000;
const NO_SOCKET_MS = 1_200;
const FALLBACK_RETRY_MS = 4_000;
/** Answers that only say: not now. */
const RETRY_CODES = new Set(["server.busy", "socket.flood"]);

/** Does by REST what a frame asks, and answers what the frame's answer would carry. */
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
  /** Sends a text if there is a socket, and says whether there was. */
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

  /** A frame that carries a question's id is its answer. */
  handleFrame(frame: ServerFrame): void {
    const { id } = frame;
    const request = id === undefined ? undefined : this.#requests.get(id);
    if (id === undefined || !request) return;
    if (frame.t !== "error") request.resolve(frame.d);
    else if (RETRY_CODES.has(frame.d.code)) return this.#retryLater(id, frame);
    // The server's no, as the REST door would have said it.
    else request.reject(new Problem({ status: 409, ...frame.d }));
    this.#remove(id);
  }

  /** On a new socket: everything that is not answered, once more. */
  resendAll(): void {
    for (const { text } of this.#requests.values()) this.#send(text);
  }

  /** Nobody waits any more. */
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

/** Nothing was heard, or the server could not answer; asking again is right. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Problem && (error.status >= 500 || error.status === 429);
}
