/** The races in the lobby: by socket with a session, else by polling REST. */
import type { ServerFrame } from "../../realtime/messages";
import { Unreachable } from "../../logic/problem";
import { racesApi, type LobbyRace } from "../../api/races";
import { ReconnectingSocket } from "../../realtime/socket";
import { session } from "../accounts/session.svelte";

const POLL_MS = 4_000;

export class LobbyStore {
  races = $state.raw<readonly LobbyRace[] | null>(null);
  isOffline = $state(false);
  readonly #socket: ReconnectingSocket;
  #timer: ReturnType<typeof setInterval> | null = null;
  #closed = false;

  constructor() {
    this.#socket = new ReconnectingSocket({
      path: "/ws/v1/lobby/",
      hello: () => ({}),
      onFrame: (frame) => this.#handleFrame(frame),
    });
  }

  async open(): Promise<void> {
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
    void this.#poll();
    const known = await session.find().catch(() => null);
    if (known && !this.#closed) this.#socket.open();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#socket.close();
  }

  #handleFrame(frame: ServerFrame): void {
    if (frame.t !== "lobby.snapshot") return;
    this.races = frame.d.races as LobbyRace[];
    this.isOffline = false;
  }

  get #isLive(): boolean {
    return this.#socket.state === "open";
  }

  async #poll(): Promise<void> {
    if (this.#closed || this.#isLive) return;
    if (document.visibilityState === "hidden") return;
    try {
      const races = await racesApi.lobby();
      if (!this.#closed && !this.#isLive) this.races = races;
      this.isOffline = false;
    } catch (error) {
      this.isOffline = error instanceof Unreachable;
    }
  }
}
