/**
 * One race as it is watched or run from this page.
 *
 * A snapshot replaces everything; events are folded in, in order and without holes.
 * Whatever does not fit is answered by asking for a fresh snapshot. The socket is only
 * the quick way: without it the race is fetched by REST, and every act has its twin.
 */
import { ServerClock } from "../../logic/server_clock";
import { newId } from "../../logic/ids";
import type { ServerFrame } from "../../realtime/messages";
import { Problem, Unreachable } from "../../logic/problem";
import { racesApi, type Act, type ChatMessage, type Race } from "../../api/races";
import type { RaceNews } from "../../api/races";
import type { MoveAnswer, Run } from "../../api/runs";
import { Wire, type SocketLike, type WireState } from "../../realtime/socket";
import { Glimpses } from "./glimpses.svelte";
import type { Delivery } from "../runs/outbox";
import { fold, isOver } from "../../logic/race_events";
import { Crier } from "./race_announcer";
import { session } from "../accounts/session.svelte";
import { TableStore } from "../runs/table.svelte";
import { Talk } from "./chat.svelte";

const POLL_MS = 2_500;
/** How long a socket may be looked for before the race is fetched without it. */
const PATIENCE_MS = 2_000;
/** What is late by so much is asked for: a start, an end, an announced event. */
const LATE_MS = 1_500;
const TICK_MS = 200;
const HOUR_MS = 3_600_000;

/**
 * live: by socket; slow: by asking each few seconds, as for a stranger, who has no
 * socket (look); lost: nothing is heard.
 */
export type Line = "live" | "slow" | "look" | "lost";

/** A snapshot made for everybody knows no `you`; the name then tells. */
function withYou(race: Race): Race {
  const name = session.account?.name;
  if (race.you.seat !== null || !name) return race;
  const own = race.entrants.find((one) => one.player === name && one.kind === "player");
  return own ? { ...race, you: { seat: own.seat, player: own.player } } : race;
}

export class RaceStore {
  race = $state.raw<Race | null>(null);
  line = $state<Line>("look");
  /** The server's time, to the fifth of a second. */
  now = $state(Date.now());
  trouble = $state.raw<unknown>(null);
  whyCancelled = $state<string | null>(null);
  /** A rematch was called while this page looked on. */
  isCalled = $state(false);

  readonly id: string;
  readonly clock = new ServerClock();
  readonly table: TableStore;
  readonly glimpses: Glimpses;
  readonly talk: Talk;
  /** Told of every event as it is shown, the first snapshot apart. */
  readonly #crier: Crier;
  readonly #wire: Wire;
  #resyncing = false;
  #closed = false;
  #timers: ReturnType<typeof setInterval>[] = [];
  #late: ReturnType<typeof setTimeout> | null = null;

  own = $derived(
    this.race?.entrants.find((one) => one.seat === this.race?.you.seat) ?? null,
  );
  /** Looking on: a spectator, or somebody whose own run is over. */
  watching = $derived(this.race !== null && (!this.own || isOver(this.own)));
  isHost = $derived(this.own !== null && this.own.player === this.race?.host);

  constructor(id: string, make?: (url: string) => SocketLike) {
    this.id = id;
    this.table = new TableStore((delivery) => this.#deliver(delivery));
    this.glimpses = new Glimpses(id);
    this.talk = new Talk(id, () => this.own?.player);
    this.#crier = new Crier();
    this.#wire = new Wire({
      path: `/ws/v1/races/${encodeURIComponent(id)}/`,
      hello: () => this.#hello(),
      onFrame: (frame) => this.#heard(frame),
      onState: (state) => this.#turned(state),
      onEnd: (code) => void this.#ended(code),
      ...(make ? { make } : {}),
    });
  }

  async open(): Promise<void> {
    this.#timers = [
      setInterval(() => (this.now = this.clock.now()), TICK_MS),
      setInterval(() => void this.#poll(), POLL_MS),
    ];
    const known = await session.find().catch(() => null);
    if (this.#closed) return;
    if (known) this.#wire.open();
    setTimeout(() => void this.#poll(), known ? PATIENCE_MS : 0);
    void this.talk.fetch();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#late) clearTimeout(this.#late);
    this.glimpses.close();
    this.table.close();
    this.#wire.close();
  }

  // --- What one can do --------------------------------------------------------------

  /** One of the race's acts. A stranger becomes a guest by it. */
  async act(act: Act): Promise<void> {
    await this.#beSomebody();
    try {
      const twin = async () => ({ race: await racesApi.act(this.id, act) });
      const answer = await this.#wire.ask(`race.${act}`, {}, { twin });
      this.#takeSnapshot((answer as { race: Race }).race);
    } catch (error) {
      // Sent twice, the second may find it done.
      const done = error instanceof Problem && error.code === "race.already_joined";
      if (!done) throw error;
      this.#resync();
    }
  }

  /** The id of the race that follows this one, with the same people. */
  async rematch(): Promise<string> {
    const twin = async () => ({ race: await racesApi.rematch(this.id) });
    const answer = await this.#wire.ask("race.rematch", {}, { twin });
    return (answer as { race: string }).race;
  }

  async say(text: string): Promise<void> {
    await this.#beSomebody();
    await this.talk.say(text);
  }

  async #beSomebody(): Promise<void> {
    await session.ensure();
    this.#wire.open();
  }

  /** Brings a move of one's own run to the server, by whichever way is open. */
  async #deliver(delivery: Delivery): Promise<MoveAnswer | null> {
    const { index, move } = delivery;
    const id = newId();
    const slow = setTimeout(() => delivery.onTrouble(1, 0), LATE_MS);
    const twin = () => racesApi.move(this.id, { index, move, key: id });
    try {
      const asked = this.#wire.ask("move.play", { index, move }, { id, twin });
      return (await asked) as MoveAnswer;
    } catch (error) {
      if (error instanceof Unreachable && delivery.isGivenUp()) return null;
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  // --- What is heard ----------------------------------------------------------------

  #hello(): { since?: number } {
    const { race } = this;
    return race && !this.#resyncing ? { since: race.seq } : {};
  }

  #heard(frame: ServerFrame): void {
    switch (frame.t) {
      case "welcome":
        return this.clock.greeted(frame.d.server_time);
      case "pong":
        return this.clock.answered(frame.d.t0, frame.d.t1);
      case "race.snapshot":
        return this.#takeSnapshot(frame.d.race as Race);
      case "race.event":
        return this.#takeNews({ ...frame.d, seq: frame.seq ?? 0, at: frame.at });
      case "run.observation":
      case "move.accepted":
        return this.#takeRun(frame.d.run as Run, frame.t === "run.observation");
      case "heartbeat":
        return this.#beat(frame.d.seq);
      case "chat.message":
        return this.talk.heard([frame.d as ChatMessage]);
      default:
        return undefined;
    }
  }

  #takeSnapshot(race: Race): void {
    // An answer about another race, or one that was overtaken, is none.
    if (race.id !== this.id || (this.race && race.seq < this.race.seq)) return;
    this.#resyncing = false;
    const before = this.race;
    this.trouble = null;
    this.#show(withYou(race));
    if (race.run) this.#takeRun(race.run, true);
    if (before) this.#jumped(before, race);
    if (this.watching && race.phase === "running") this.glimpses.ask();
  }

  #jumped(before: Race, after: Race): void {
    this.#crier.jumped(before, after);
    if (!before.rematch && after.rematch) this.isCalled = true;
  }

  #takeNews(news: RaceNews): void {
    const { race } = this;
    if (!race || news.seq <= race.seq) return;
    const after = fold(race, news);
    if (!after) return this.#resync();
    this.glimpses.take(news);
    if (news.kind === "rematched") this.isCalled = true;
    if (news.kind === "unsaid") this.talk.drop(Number(news.number));
    if (news.kind === "cancelled") this.whyCancelled = String(news.reason);
    this.#show(after);
    this.#crier.happened(news, race, after);
  }

  #takeRun(run: Run, unasked: boolean): void {
    if (run.race !== this.id || !this.race) return;
    this.race = { ...this.race, run };
    // The answer to a move is the table's own to show, with what the move did.
    if (unasked) this.table.take(run);
  }

  #show(race: Race): void {
    this.race = race;
    this.now = this.clock.now();
    this.#expect(race);
  }

  /** The number of the last event: it may still be on its way, but not for long. */
  #beat(seq: number): void {
    if (!this.race || seq <= this.race.seq) return;
    setTimeout(() => {
      if (this.race && this.race.seq < seq) this.#resync();
    }, LATE_MS);
  }

  /** What time will do next is asked for if nobody says that it has been done. */
  #expect(race: Race): void {
    if (this.#late) clearTimeout(this.#late);
    const next = { open: null, countdown: race.starts_at, running: race.deadline_at };
    const when = next[race.phase as keyof typeof next];
    if (!when) return;
    const { seq } = race;
    // A timer takes no more than 24 days, and no race lasts longer than an hour.
    const ms = Math.min(Math.max(0, this.clock.until(when)), HOUR_MS) + LATE_MS;
    this.#late = setTimeout(() => {
      if (this.race?.seq === seq) this.#resync();
    }, ms);
  }

  #resync(): void {
    this.#resyncing = true;
    if (this.line === "live") this.#wire.tell("resync", {});
    else void this.#poll();
  }

  // --- The line ---------------------------------------------------------------------

  #turned(state: WireState): void {
    if (state === "open") {
      this.line = "live";
      void this.talk.fetch();
    } else if (this.line === "live" && state !== "connecting") {
      this.line = "lost";
      setTimeout(() => void this.#poll(), PATIENCE_MS);
    }
  }

  /** The socket will not come again: no session, or no such race. */
  async #ended(code: number): Promise<void> {
    if (code === 4401) session.forget();
    await this.#poll();
  }

  async #poll(): Promise<void> {
    if (this.#closed || this.line === "live") return;
    try {
      const race = await racesApi.race(this.id);
      if (this.#closed) return;
      if (this.#wire.state !== "open") this.line = session.account ? "slow" : "look";
      this.#takeSnapshot(race);
    } catch (error) {
      if (error instanceof Unreachable) this.line = "lost";
      // What is not there, or no longer, will not come: it is asked for no more.
      else if (error instanceof Problem && error.status === 404) {
        this.close();
        [this.race, this.trouble] = [null, error];
      } else if (!this.race) this.trouble = error;
    }
  }
}
