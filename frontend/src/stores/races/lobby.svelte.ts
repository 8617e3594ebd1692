/** The lobby's list: by its socket for whoever has a session, else asked for by REST. */
import type { ServerFrame } from "../../realtime/messages";
import { Unreachable } from "../../logic/problem";
import { racesApi, type LobbyRace } from "../../api/races";
import { Wire } from "../../realtime/socket";
import { session } from "../accounts/session.svelte";

const POLL_MS = 4_000;

export class LobbyStore {
  races = $state.raw<readonly LobbyRace[] | null>(null);
  isLost = $state(false);
  readonly #wire: Wire;
  #timer: ReturnType<typeof setInterval> | null = null;
  #closed = false;

  constructor() {
    this.#wire = new Wire({
      path: "/ws/v1/lobby/",
      hello: () => ({}),
      onFrame: (frame) => this.#heard(frame),
    });
  }

  async open(): Promise<void> {
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
    void this.#poll();
    const known = await session.find().catch(() => null);
    if (known && !this.#closed) this.#wire.open();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#wire.close();
  }

  #heard(frame: ServerFrame): void {
    if (frame.t !== "lobby.snapshot") return;
    this.races = frame.d.races as LobbyRace[];
    this.isLost = false;
  }

  get #isLive(): boolean {
    return this.#wire.state === "open";
  }

  async #poll(): Promise<void> {
    if (this.#closed || this.#isLive) return;
    if (document.visibilityState === "hidden") return;
    try {
      const races = await racesApi.lobby();
      if (!this.#closed && !this.#isLive) this.races = races;
      this.isLost = false;
    } catch (error) {
      this.isLost = error instanceof Unreachable;
    }
  }
}
