/**
 * One race, for entrants and spectators.
 *
 * A snapshot replaces everything; events are applied in order and without gaps, or else
 * a fresh snapshot is requested. The socket is only faster: without it the race is
 * polled by REST, and every action has a REST fallback.
 */
import { ServerClock } from "../../logic/server_clock";
import { newId } from "../../logic/ids";
import type { ServerFrame } from "../../realtime/messages";
import { Problem, Unreachable } from "../../logic/problem";
import {
  racesApi,
  type RaceAction,
  type ChatMessage,
  type Race,
} from "../../api/races";
import type { RaceEvent } from "../../api/races";
import type { MoveAnswer, Run } from "../../api/runs";
import {
  ReconnectingSocket,
  type SocketLike,
  type SocketState,
} from "../../realtime/socket";
import { SpectatorBoards } from "./spectator_boards.svelte";
import type { MoveRequest } from "../runs/send_move";
import { applyRaceEvent, isAccount, isOver } from "../../logic/race_events";
import { RaceAnnouncer } from "./race_announcer";
import { session } from "../accounts/session.svelte";
import { TableStore } from "../runs/table.svelte";
import { ChatStore } from "./chat.svelte";

const POLL_MS = 2_500;
/** How long to wait for the socket before the race is loaded by REST. */
const SOCKET_WAIT_MS = 2_000;
/** How late a start, an end or an event may be before a snapshot is requested. */
const GRACE_MS = 1_500;
const TICK_MS = 200;
const HOUR_MS = 3_600_000;

/**
 * live: by socket; polling: by REST with a session; anonymous: by REST without a
 * session, which gets no socket; lost: no connection.
 */
export type RaceConnection = "live" | "polling" | "anonymous" | "lost";

/** Adds `you` to a snapshot made for everybody, by the account's name. */
function withOwnSeat(race: Race): Race {
  const name = session.account?.name;
  if (race.you.seat !== null || !name) return race;
  const own = race.entrants.find((one) => one.player === name && isAccount(one));
  return own ? { ...race, you: { seat: own.seat, player: own.player } } : race;
}

export class RaceStore {
  race = $state.raw<Race | null>(null);
  connection = $state<RaceConnection>("anonymous");
  /** The server's time in milliseconds, updated five times a second. */
  now = $state(Date.now());
  loadError = $state.raw<unknown>(null);
  cancelReason = $state<string | null>(null);
  /** Why the player has lost their seat: `removed`, `idle` and others. */
  seatLossReason = $state<string | null>(null);
  /** A rematch was offered while this page was open. */
  isRematchOffered = $state(false);

  readonly id: string;
  readonly clock = new ServerClock();
  readonly table: TableStore;
  readonly spectatorBoards: SpectatorBoards;
  readonly chat: ChatStore;
  /** Announces every event after the first snapshot. */
  readonly #announcer: RaceAnnouncer;
  readonly #socket: ReconnectingSocket;
  #resyncing = false;
  #closed = false;
  #timers: ReturnType<typeof setInterval>[] = [];
  #overdueTimer: ReturnType<typeof setTimeout> | null = null;

  own = $derived(
    this.race?.entrants.find((one) => one.seat === this.race?.you.seat) ?? null,
  );
  /** True for spectators, and for entrants whose run has ended. */
  watching = $derived(this.race !== null && (!this.own || isOver(this.own)));
  isHost = $derived(this.own !== null && this.own.player === this.race?.host);

  constructor(id: string, createSocket?: (url: string) => SocketLike) {
    this.id = id;
    this.table = new TableStore((request) => this.#sendMove(request));
    this.spectatorBoards = new SpectatorBoards(id);
    this.chat = new ChatStore(id, () => this.own?.player);
    this.#announcer = new RaceAnnouncer();
    this.#socket = new ReconnectingSocket({
      path: `/ws/v1/races/${encodeURIComponent(id)}/`,
      hello: () => this.#helloMessage(),
      onFrame: (frame) => this.#handleFrame(frame),
      onState: (state) => this.#handleSocketState(state),
      onEnd: (code) => void this.#handleSocketEnd(code),
      ...(createSocket ? { createSocket } : {}),
    });
  }

  async open(): Promise<void> {
    this.#timers = [
      setInterval(() => (this.now = this.clock.now()), TICK_MS),
      setInterval(() => void this.#poll(), POLL_MS),
    ];
    const known = await session.find().catch(() => null);
    if (this.#closed) return;
    if (known) this.#socket.open();
    setTimeout(() => void this.#poll(), known ? SOCKET_WAIT_MS : 0);
    void this.chat.fetch();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    this.spectatorBoards.close();
    this.table.close();
    this.#socket.close();
  }

  // --- Actions ----------------------------------------------------------------------

  /** Performs an action of the race. Visitors become guests first. */
  async act(act: RaceAction): Promise<void> {
    await this.#ensureSession();
    try {
      const restFallback = async () => ({ race: await racesApi.action(this.id, act) });
      const answer = await this.#socket.request(`race.${act}`, {}, { restFallback });
      if (act === "join") this.seatLossReason = null;
      this.#applySnapshot((answer as { race: Race }).race);
    } catch (error) {
      // Sent twice, the second may find it already done.
      const done = error instanceof Problem && error.code === "race.already_joined";
      if (!done) throw error;
      this.#resync();
    }
  }

  /** Removes the entrant of a seat, as the host. */
  async remove(seat: number): Promise<void> {
    const restFallback = async () => ({ race: await racesApi.remove(this.id, seat) });
    const answer = await this.#socket.request(
      "race.remove",
      { seat },
      { restFallback },
    );
    this.#applySnapshot((answer as { race: Race }).race);
  }

  /** Creates a rematch with the same entrants; returns its id. */
  async rematch(): Promise<string> {
    const restFallback = async () => ({ race: await racesApi.rematch(this.id) });
    const answer = await this.#socket.request("race.rematch", {}, { restFallback });
    return (answer as { race: string }).race;
  }

  async say(text: string): Promise<void> {
    await this.#ensureSession();
    await this.chat.say(text);
  }

  async #ensureSession(): Promise<void> {
    await session.ensure();
    this.#socket.open();
  }

  /** Sends a move of the own run, by socket or REST. */
  async #sendMove(request: MoveRequest): Promise<MoveAnswer | null> {
    const { index, move } = request;
    const id = newId();
    const slowTimer = setTimeout(() => request.onRetry(1, 0), GRACE_MS);
    const restFallback = () => racesApi.move(this.id, { index, move, key: id });
    try {
      const answer = this.#socket.request(
        "move.play",
        { index, move },
        { id, restFallback },
      );
      return (await answer) as MoveAnswer;
    } catch (error) {
      if (error instanceof Unreachable && request.isCancelled()) return null;
      throw error;
    } finally {
      clearTimeout(slowTimer);
    }
  }

  // --- Messages ---------------------------------------------------------------------

  #helloMessage(): { since?: number } {
    const { race } = this;
    return race && !this.#resyncing ? { since: race.seq } : {};
  }

  #handleFrame(frame: ServerFrame): void {
    switch (frame.t) {
      case "welcome":
        return this.clock.recordWelcome(frame.d.server_time);
      case "pong":
        return this.clock.recordPong(frame.d.t0, frame.d.t1);
      case "race.snapshot":
        return this.#applySnapshot(frame.d.race as Race);
      case "race.event":
        return this.#applyEvent({ ...frame.d, seq: frame.seq ?? 0, at: frame.at });
      case "run.observation":
      case "move.accepted":
        return this.#applyRun(frame.d.run as Run, frame.t === "run.observation");
      case "heartbeat":
        return this.#handleHeartbeat(frame.d.seq);
      case "chat.message":
        return this.chat.receive([frame.d as ChatMessage]);
      default:
        return undefined;
    }
  }

  #applySnapshot(race: Race): void {
    // Ignore answers about another race, and outdated ones.
    if (race.id !== this.id || (this.race && race.seq < this.race.seq)) return;
    this.#resyncing = false;
    const before = this.race;
    this.loadError = null;
    this.#setRace(withOwnSeat(race));
    if (race.run) this.#applyRun(race.run, true);
    if (before) this.#handleGap(before, race);
    if (this.watching && race.phase === "running") this.spectatorBoards.start();
  }

  #handleGap(before: Race, after: Race): void {
    this.#announcer.announceGap(before, after);
    if (!before.rematch && after.rematch) this.isRematchOffered = true;
  }

  #applyEvent(event: RaceEvent): void {
    const { race } = this;
    if (!race || event.seq <= race.seq) return;
    const after = applyRaceEvent(race, event);
    if (!after) return this.#resync();
    this.spectatorBoards.handleEvent(event);
    if (event.kind === "rematched") this.isRematchOffered = true;
    if (event.kind === "unsaid") this.chat.remove(Number(event.number));
    if (event.kind === "left" && event.seat === race.you.seat)
      this.seatLossReason = String(event.reason);
    if (event.kind === "cancelled") this.cancelReason = String(event.reason);
    this.#setRace(after);
    this.#announcer.announceEvent(event, race, after);
  }

  #applyRun(run: Run, isPush: boolean): void {
    if (run.race !== this.id || !this.race) return;
    this.race = { ...this.race, run };
    // The table itself shows the answer to a move, with its effects.
    if (isPush) this.table.take(run);
  }

  #setRace(race: Race): void {
    this.race = race;
    this.now = this.clock.now();
    this.#scheduleOverdueCheck(race);
  }

  /** Checks the number of the last event: if it does not arrive soon, resyncs. */
  #handleHeartbeat(seq: number): void {
    if (!this.race || seq <= this.race.seq) return;
    setTimeout(() => {
      if (this.race && this.race.seq < seq) this.#resync();
    }, GRACE_MS);
  }

  /** Requests a snapshot if the next timed change is not reported. */
  #scheduleOverdueCheck(race: Race): void {
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    const next = { open: null, countdown: race.starts_at, running: race.deadline_at };
    const when = next[race.phase as keyof typeof next];
    if (!when) return;
    const { seq } = race;
    // Timers are limited to 24 days, and no race lasts longer than an hour.
    const ms = Math.min(Math.max(0, this.clock.until(when)), HOUR_MS) + GRACE_MS;
    this.#overdueTimer = setTimeout(() => {
      if (this.race?.seq === seq) this.#resync();
    }, ms);
  }

  #resync(): void {
    this.#resyncing = true;
    if (this.connection === "live") this.#socket.send("resync", {});
    else void this.#poll();
  }

  // --- Connection -------------------------------------------------------------------

  #handleSocketState(state: SocketState): void {
    if (state === "open") {
      this.connection = "live";
      void this.chat.fetch();
    } else if (this.connection === "live" && state !== "connecting") {
      this.connection = "lost";
      setTimeout(() => void this.#poll(), SOCKET_WAIT_MS);
    }
  }

  /** The socket will not reconnect: no session, or no such race. */
  async #handleSocketEnd(code: number): Promise<void> {
    if (code === 4401) session.forget();
    await this.#poll();
  }

  async #poll(): Promise<void> {
    if (this.#closed || this.connection === "live") return;
    try {
      const race = await racesApi.race(this.id);
      if (this.#closed) return;
      if (this.#socket.state !== "open")
        this.connection = session.account ? "polling" : "anonymous";
      this.#applySnapshot(race);
    } catch (error) {
      if (error instanceof Unreachable) this.connection = "lost";
      // The race does not exist (any more): stop polling.
      else if (error instanceof Problem && error.status === 404) {
        this.close();
        [this.race, this.loadError] = [null, error];
      } else if (!this.race) this.loadError = error;
    }
  }
}
