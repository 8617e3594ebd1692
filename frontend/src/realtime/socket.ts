/**
 * One websocket that is always there: it comes again when it is lost.
 *
 * What was asked and is not answered goes along to the next socket (see questions).
 * Knows frames and time; nothing of races.
 */
import { VERSION } from "./messages";
import type { ClientMessages, ServerFrame } from "./messages";
import { newId } from "../logic/ids";
import { PendingRequests, type RestFallback } from "./pending_requests";
import { backoffMs } from "../logic/retry";

const BACKOFF = { firstMs: 500, mostMs: 15_000 };
/** Nothing heard for so long is a lost socket: heartbeats come each five seconds. */
const SILENCE_MS = 15_000;
/** After a pause (a phone asleep, a net changed) an answer must come sooner. */
const CHECK_MS = 4_000;
const PING_MS = 20_000;
/** The server has said that coming again is no use. */
const FINAL_CODES = new Set([4401, 4403, 4404]);

export type SocketState = "connecting" | "open" | "waiting" | "closed";
export type ClientMessageType = keyof ClientMessages;

/** Of a WebSocket, what is used here; tests give one of their own. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface SocketOptions {
  /** "/ws/v1/lobby/": of this very site. */
  path: string;
  /** The first message of each socket. */
  hello: () => ClientMessages["hello"];
  onFrame: (frame: ServerFrame) => void;
  onState?: (state: SocketState) => void;
  /** Closed for good, and by which code. */
  onEnd?: (code: number) => void;
  createSocket?: (url: string) => SocketLike;
  random?: () => number;
}

function socketUrl(path: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

export class ReconnectingSocket {
  state: SocketState = "closed";
  readonly #options: SocketOptions;
  readonly #requests = new PendingRequests(
    (text) => this.state === "open" && this.#send(text),
  );
  #socket: SocketLike | null = null;
  #attempt = 0;
  #isWelcomed = false;
  #minDelayMs: number | null = null;
  #reconnectTimer: ReturnType<typeof setTimeout> | null = null;
  #silenceTimer: ReturnType<typeof setTimeout> | null = null;
  #pingTimer: ReturnType<typeof setInterval> | null = null;

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.state !== "closed") return;
    window.addEventListener("online", this.#onOnline);
    document.addEventListener("visibilitychange", this.#checkConnection);
    this.#connect();
  }

  close(): void {
    window.removeEventListener("online", this.#onOnline);
    document.removeEventListener("visibilitychange", this.#checkConnection);
    this.#closeSocket();
    if (this.#reconnectTimer) clearTimeout(this.#reconnectTimer);
    this.#requests.rejectAll();
    this.#setState("closed");
  }

  /** Says something that needs no answer; lost where there is no socket. */
  send<T extends ClientMessageType>(t: T, d: ClientMessages[T]): void {
    if (this.state === "open") this.#send(frameText(t, d));
  }

  /**
   * Asks, and waits for what the answering frame carries. `twin` does the same by REST,
   * where the socket does not. Rejects with a Problem, or Unreachable once closed.
   */
  request<T extends ClientMessageType>(
    t: T,
    d: ClientMessages[T],
    {
      id = newId(),
      restFallback = null,
    }: { id?: string; restFallback?: RestFallback | null } = {},
  ): Promise<unknown> {
    return this.#requests.add(id, frameText(t, d, id), restFallback);
  }

  // --- One socket after the other ---------------------------------------------------

  #connect(): void {
    if (this.#reconnectTimer) clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = null;
    this.#setState("connecting");
    this.#isWelcomed = false;
    const createSocket =
      this.#options.createSocket ?? ((url) => new WebSocket(url) as SocketLike);
    const socket = createSocket(socketUrl(this.#options.path));
    this.#socket = socket;
    // A socket that was given up may still speak; only the present one is heard.
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#handleText(String(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#handleClose(code);
    };
    this.#restartSilenceTimer(SILENCE_MS);
  }

  #handleText(text: string): void {
    this.#restartSilenceTimer(SILENCE_MS);
    let frame: ServerFrame;
    try {
      frame = JSON.parse(text) as ServerFrame;
    } catch {
      return;
    }
    if (frame.v !== VERSION) return;
    if (frame.t === "bye") {
      this.#minDelayMs = frame.d.retry_after_ms;
      if (frame.d.reason === "account.banned") announceStandingChange();
      return;
    }
    if (frame.t === "standing.changed") {
      announceStandingChange();
      return;
    }
    if (frame.t === "welcome") this.#handleWelcome();
    this.#options.onFrame(frame);
    this.#requests.handleFrame(frame);
  }

  #handleWelcome(): void {
    this.#isWelcomed = true;
    this.#send(frameText("hello", this.#options.hello(), newId()));
    this.#setState("open");
    this.#attempt = 0;
    this.#requests.resendAll();
    this.#ping();
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS);
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
  #restartSilenceTimer(ms: number): void {
    if (this.#silenceTimer) clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => {
      this.#closeSocket();
      this.#handleClose(1006);
    }, ms);
  }

  #closeSocket(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (this.#silenceTimer) clearTimeout(this.#silenceTimer);
    if (this.#pingTimer) clearInterval(this.#pingTimer);
    this.#silenceTimer = this.#pingTimer = null;
    try {
      socket?.close();
    } catch {
      // It was never open.
    }
  }

  #handleClose(code: number): void {
    this.#closeSocket();
    if (FINAL_CODES.has(code)) {
      this.#setState("closed");
      this.#options.onEnd?.(code);
      return;
    }
    this.#attempt += 1;
    // A socket that was welcomed and lost is tried again almost at once, but not by
    // everybody at the same moment.
    const delayMs = backoffMs(this.#attempt, BACKOFF, this.#options.random);
    const ms = Math.max(this.#minDelayMs ?? 0, delayMs);
    this.#minDelayMs = null;
    this.#setState("waiting");
    this.#reconnectTimer = setTimeout(() => this.#connect(), ms);
  }

  #setState(state: SocketState): void {
    if (this.state === state) return;
    this.state = state;
    this.#options.onState?.(state);
  }

  readonly #onOnline = (): void => {
    if (this.state === "waiting") this.#connect();
    else if (this.state === "open") this.#checkConnection();
  };

  /** Back after a pause: asks whether the socket is still there. */
  readonly #checkConnection = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.state === "waiting") this.#connect();
    if (this.state !== "open" || !this.#isWelcomed) return;
    this.#ping();
    this.#restartSilenceTimer(CHECK_MS);
  };
}

/** Whoever shows how one stands with the house hears it, wherever it came in. */
function announceStandingChange(): void {
  window.dispatchEvent(new Event("standing"));
}

function frameText<T extends ClientMessageType>(
  t: T,
  d: ClientMessages[T],
  id?: string,
): string {
  return JSON.stringify({ v: VERSION, t, ...(id === undefined ? {} : { id }), d });
}
