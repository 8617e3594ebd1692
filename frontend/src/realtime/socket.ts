/**
 * A websocket that reconnects when it is lost.
 *
 * Unanswered requests move to the next socket (see pending_requests). It knows frames
 * and timeouts, but nothing of races.
 */
import { VERSION } from "./messages";
import type { ClientMessages, ServerFrame } from "./messages";
import { newId } from "../logic/ids";
import { PendingRequests, type RestFallback } from "./pending_requests";
import { backoffMs } from "../logic/retry";

const BACKOFF = { firstMs: 500, maxMs: 15_000 };
/** A socket is lost after this silence: heartbeats come every five seconds. */
const SILENCE_MS = 15_000;
/** After a pause (device asleep, network changed) an answer must come sooner. */
const CHECK_MS = 4_000;
const PING_MS = 20_000;
/** Close codes after which reconnecting is useless. */
const FINAL_CODES = new Set([4401, 4403, 4404]);

export type SocketState = "connecting" | "open" | "waiting" | "closed";
export type ClientMessageType = keyof ClientMessages;

/** The part of WebSocket that is used here; tests provide their own. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface SocketOptions {
  /** A path of this site: "/ws/v1/lobby/". */
  path: string;
  /** The first message of each socket. */
  hello: () => ClientMessages["hello"];
  onFrame: (frame: ServerFrame) => void;
  onState?: (state: SocketState) => void;
  /** Called with the close code when the socket will not reconnect. */
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

  /** Sends a message without answer; dropped if no socket is open. */
  send<T extends ClientMessageType>(t: T, d: ClientMessages[T]): void {
    if (this.state === "open") this.#send(frameText(t, d));
  }

  /**
   * Sends a request and returns the data of the answering frame. `restFallback` does
   * the same by REST if the socket does not answer. Rejects with a Problem, or with
   * Unreachable once closed.
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

  // --- Connection -------------------------------------------------------------------

  #connect(): void {
    if (this.#reconnectTimer) clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = null;
    this.#setState("connecting");
    this.#isWelcomed = false;
    const createSocket =
      this.#options.createSocket ?? ((url) => new WebSocket(url) as SocketLike);
    const socket = createSocket(socketUrl(this.#options.path));
    this.#socket = socket;
    // An abandoned socket may still receive frames; only the current one counts.
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
      // The socket is closing; requests are sent again on the next one.
      return false;
    }
  }

  /** Drops the socket unless something is received within `ms`. */
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
    // A lost socket reconnects quickly, but with jitter, so that clients do not
    // reconnect all at once.
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

  /** After a pause: pings to check whether the socket still works. */
  readonly #checkConnection = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.state === "waiting") this.#connect();
    if (this.state !== "open" || !this.#isWelcomed) return;
    this.#ping();
    this.#restartSilenceTimer(CHECK_MS);
  };
}

/** Notifies the page that the player's standing has changed. */
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
