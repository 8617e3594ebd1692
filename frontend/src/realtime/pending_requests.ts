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
const AGAIN_MS = 4_000;
/** Answers that only say: not now. */
const LATER = new Set(["server.busy", "socket.flood"]);

/** Does by REST what a frame asks, and answers what the frame's answer would carry. */
export type Twin = () => Promise<unknown>;
type Refused = Extract<ServerFrame, { t: "error" }>;

interface Question {
  text: string;
  twin: Twin | null;
  done: (answer: unknown) => void;
  fail: (error: unknown) => void;
  timer: ReturnType<typeof setTimeout> | null;
  asking: boolean;
}

export class Questions {
  readonly #open = new Map<string, Question>();
  /** Sends a text if there is a socket, and says whether there was. */
  readonly #send: (text: string) => boolean;

  constructor(send: (text: string) => boolean) {
    this.#send = send;
  }

  ask(id: string, text: string, twin: Twin | null): Promise<unknown> {
    return new Promise((done, fail) => {
      this.#open.set(id, { text, twin, done, fail, timer: null, asking: false });
      const sent = this.#send(text);
      this.#wait(id, sent ? ANSWER_MS : NO_SOCKET_MS);
    });
  }

  /** A frame that carries a question's id is its answer. */
  answered(frame: ServerFrame): void {
    const { id } = frame;
    const question = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || !question) return;
    if (frame.t !== "error") question.done(frame.d);
    else if (LATER.has(frame.d.code)) return this.#later(id, frame);
    // The server's no, as the REST door would have said it.
    else question.fail(new Problem({ status: 409, ...frame.d }));
    this.#forget(id);
  }

  /** On a new socket: everything that is not answered, once more. */
  again(): void {
    for (const { text } of this.#open.values()) this.#send(text);
  }

  /** Nobody waits any more. */
  drop(): void {
    for (const [id, question] of this.#open) {
      question.fail(new Unreachable());
      this.#forget(id);
    }
  }

  #later(id: string, frame: Refused): void {
    setTimeout(() => {
      const question = this.#open.get(id);
      if (question) this.#send(question.text);
    }, frame.d.retry_after_ms ?? 1_000);
  }

  #forget(id: string): void {
    const timer = this.#open.get(id)?.timer;
    if (timer) clearTimeout(timer);
    this.#open.delete(id);
  }

  #wait(id: string, ms: number): void {
    const question = this.#open.get(id);
    if (!question?.twin) return;
    question.timer = setTimeout(() => void this.#askTwin(id, question), ms);
  }

  async #askTwin(id: string, question: Question): Promise<void> {
    if (!question.twin || question.asking) return;
    question.asking = true;
    try {
      question.done(await question.twin());
      this.#forget(id);
    } catch (error) {
      if (isDeaf(error)) this.#wait(id, AGAIN_MS);
      else {
        question.fail(error);
        this.#forget(id);
      }
    } finally {
      question.asking = false;
    }
  }
}

/** Nothing was heard, or the server could not answer; asking again is right. */
function isDeaf(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Problem && (error.status >= 500 || error.status === 429);
}
