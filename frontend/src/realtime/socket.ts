/**
 * One websocket that is always there: it comes again when it is lost.
 *
 * What was asked and is not answered goes along to the next socket (see questions).
 * Knows frames and time; nothing of races.
 */
import { VERSION } from "./messages";
import type { ClientMessages, ServerFrame } from "./messages";
import { newId } from "../logic/ids";
import { Questions, type Twin } from "./pending_requests";
import { waitMs } from "../logic/retry";

const BACKOFF = { firstMs: 500, mostMs: 15_000 };
/** Nothing heard for so long is a lost socket: heartbeats come each five seconds. */
const SILENCE_MS = 15_000;
/** After a pause (a phone asleep, a net changed) an answer must come sooner. */
const DOUBT_MS = 4_000;
const PING_MS = 20_000;
/** The server has said that coming again is no use. */
const FINAL = new Set([4401, 4403, 4404]);

export type WireState = "connecting" | "open" | "waiting" | "closed";
export type Kind = keyof ClientMessages;

/** Of a WebSocket, what is used here; tests give one of their own. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface WireOptions {
  /** "/ws/v1/lobby/": of this very site. */
  path: string;
  /** The first message of each socket. */
  hello: () => ClientMessages["hello"];
  onFrame: (frame: ServerFrame) => void;
  onState?: (state: WireState) => void;
  /** Closed for good, and by which code. */
  onEnd?: (code: number) => void;
  make?: (url: string) => SocketLike;
  chance?: () => number;
}

function address(path: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

export class Wire {
  state: WireState = "closed";
  readonly #options: WireOptions;
  readonly #asked = new Questions((text) => this.state === "open" && this.#send(text));
  #socket: SocketLike | null = null;
  #attempt = 0;
  #greeted = false;
  #retryMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #watch: ReturnType<typeof setTimeout> | null = null;
  #pings: ReturnType<typeof setInterval> | null = null;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.state !== "closed") return;
    window.addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#doubt);
    this.#connect();
  }

  close(): void {
    window.removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#doubt);
    this.#drop();
    if (this.#timer) clearTimeout(this.#timer);
    this.#asked.drop();
    this.#turn("closed");
  }

  /** Says something that needs no answer; lost where there is no socket. */
  tell<T extends Kind>(t: T, d: ClientMessages[T]): void {
    if (this.state === "open") this.#send(frameText(t, d));
  }

  /**
   * Asks, and waits for what the answering frame carries. `twin` does the same by REST,
   * where the socket does not. Rejects with a Problem, or Unreachable once closed.
   */
  ask<T extends Kind>(
    t: T,
    d: ClientMessages[T],
    { id = newId(), twin = null }: { id?: string; twin?: Twin | null } = {},
  ): Promise<unknown> {
    return this.#asked.ask(id, frameText(t, d, id), twin);
  }

  // --- One socket after the other ---------------------------------------------------

  #connect(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#turn("connecting");
    this.#greeted = false;
    const make = this.#options.make ?? ((url) => new WebSocket(url) as SocketLike);
    const socket = make(address(this.#options.path));
    this.#socket = socket;
    // A socket that was given up may still speak; only the present one is heard.
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#heard(String(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#lost(code);
    };
    this.#await(SILENCE_MS);
  }

  #heard(text: string): void {
    this.#await(SILENCE_MS);
    let frame: ServerFrame;
    try {
      frame = JSON.parse(text) as ServerFrame;
    } catch {
      return;
    }
    if (frame.v !== VERSION) return;
    if (frame.t === "bye") {
      this.#retryMs = frame.d.retry_after_ms;
      if (frame.d.reason === "account.banned") tellStanding();
      return;
    }
    if (frame.t === "standing.changed") {
      tellStanding();
      return;
    }
    if (frame.t === "welcome") this.#welcomed();
    this.#options.onFrame(frame);
    this.#asked.answered(frame);
  }

  #welcomed(): void {
    this.#greeted = true;
    this.#send(frameText("hello", this.#options.hello(), newId()));
    this.#turn("open");
    this.#attempt = 0;
    this.#asked.again();
    this.#ping();
    this.#pings = setInterval(() => this.#ping(), PING_MS);
  }

  #ping(): void {
    this.#send(frameText("ping", { t0: Date.now() }));
  }

  #send(text: string): boolean {
    try {
      this.#socket?.send(text);
      return this.#socket !== null;
    } catch {
      // A socket on its way out; what was asked is sent again on the next.
      return false;
    }
  }

  /** Gives the socket up unless something is heard within that time. */
  #await(ms: number): void {
    if (this.#watch) clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#drop();
      this.#lost(1006);
    }, ms);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (this.#watch) clearTimeout(this.#watch);
    if (this.#pings) clearInterval(this.#pings);
    this.#watch = this.#pings = null;
    try {
      socket?.close();
    } catch {
      // It was never open.
    }
  }

  #lost(code: number): void {
    this.#drop();
    if (FINAL.has(code)) {
      this.#turn("closed");
      this.#options.onEnd?.(code);
      return;
    }
    this.#attempt += 1;
    // A socket that was welcomed and lost is tried again almost at once, but not by
    // everybody at the same moment.
    const planned = waitMs(this.#attempt, BACKOFF, this.#options.chance);
    const ms = Math.max(this.#retryMs ?? 0, planned);
    this.#retryMs = null;
    this.#turn("waiting");
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #turn(state: WireState): void {
    if (this.state === state) return;
    this.state = state;
    this.#options.onState?.(state);
  }

  readonly #hurry = (): void => {
    if (this.state === "waiting") this.#connect();
    else if (this.state === "open") this.#doubt();
  };

  /** Back after a pause: asks whether the socket is still there. */
  readonly #doubt = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.state === "waiting") this.#connect();
    if (this.state !== "open" || !this.#greeted) return;
    this.#ping();
    this.#await(DOUBT_MS);
  };
}

/** Whoever shows how one stands with the house hears it, wherever it came in. */
function tellStanding(): void {
  window.dispatchEvent(new Event("standing"));
}

function frameText<T extends Kind>(t: T, d: ClientMessages[T], id?: string): string {
  return JSON.stringify({ v: VERSION, t, ...(id === undefined ? {} : { id }), d });
}
