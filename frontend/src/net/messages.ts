// Made by `python -m api.ws.generate` from api/ws/protocol.py; not to be edited.

/** The version of every frame. */
export const VERSION = 1;

/** What the server allows on a socket; times in milliseconds, sizes in bytes. */
export interface Limits {
  frame_bytes: number;
  burst: number;
  per_second: number;
  sockets_per_account: number;
  sockets_per_address: number;
  unsent_bytes: number;
  heartbeat_ms: number;
  idle_ms: number;
}

/** Whom the server takes the reader for. */
export interface You {
  id: string;
  name: string;
  is_guest: boolean;
  is_bot: boolean;
}

/** One of a race's players, as far as the reader may know. */
export interface Entrant {
  player: string;
  state:
    | "joined"
    | "ready"
    | "racing"
    | "cleared"
    | "died"
    | "forfeited"
    | "timed_out"
    | "no_show"
    | "disqualified";
  depth: number;
  present: boolean;
  place: number | null;
  score: number | null;
  elapsed_ms: number | null;
  rating_before: number | null;
  rating_change: number | null;
}

/** The weapon held; `limit` is null while it is fresh. */
export interface Weapon {
  card: string;
  kill_stack: string[];
  limit: number | null;
  limit_inclusive: boolean;
}

/** A legal move and what it would cost or heal. */
export interface LegalMove {
  move: string;
  card: string | null;
  action: "fight" | "equip" | "drink" | "avoid";
  armed: boolean | null;
  damage: number;
  heal: number;
  wasted: boolean;
  health_after: number;
  lethal: boolean;
  drops: string[];
}

/** An armed fight, or avoiding, that is refused here, and why. */
export interface BlockedMove {
  move: string;
  code: string;
  detail: string;
}

/** A line of a score's breakdown. */
export interface Part {
  part: string;
  value: number;
}

/** A run as its own player may see it. */
export interface Run {
  id: string;
  kind: "practice" | "daily" | "race";
  player: string;
  ruleset: string;
  difficulty: string;
  status: "playing" | "cleared" | "died" | "abandoned" | "expired" | "forfeited";
  index: number;
  health: number;
  cap: number;
  room: string[];
  faced_in_room: number;
  faced: number;
  room_number: number;
  weapon: Weapon | null;
  potion_used: boolean;
  avoided_last: boolean;
  dungeon_left: number;
  bottom: string[];
  legal: LegalMove[];
  blocked: BlockedMove[];
  score: number | null;
  potential_score: number;
  breakdown: Part[] | null;
  seal: string;
  seed: string | null;
  started_at: string;
  finished_at: string | null;
  elapsed_ms: number;
  race: string | null;
  daily: string | null;
}

/** A race as its reader may see it at event number `seq`; `run` is his own. */
export interface Race {
  id: string;
  phase:
    | "open"
    | "countdown"
    | "running"
    | "closed"
    | "settled"
    | "cancelled"
    | "held"
    | "voided";
  ruleset: string;
  difficulty: string;
  format: "score" | "speed";
  seats: number;
  rated: boolean;
  visibility: "public" | "link";
  time_limit_ms: number;
  seal: string | null;
  seed: string | null;
  starts_at: string | null;
  deadline_at: string | null;
  seq: number;
  rev: number;
  host: string;
  entrants: Entrant[];
  run: Run | null;
  spectators: number;
}

/** What a move did; `kind` says which of the other fields there are. */
export interface Effect {
  kind?:
    | "fought"
    | "equipped"
    | "healed"
    | "wasted"
    | "avoided"
    | "dealt"
    | "died"
    | "cleared";
  card?: string;
  cards?: string[];
  discarded?: string[];
  armed?: boolean;
  damage?: number;
  amount?: number;
  health?: number;
}

/** A race in the lobby's list. */
export interface LobbyRace {
  id?: string;
  phase?:
    | "open"
    | "countdown"
    | "running"
    | "closed"
    | "settled"
    | "cancelled"
    | "held"
    | "voided";
  ruleset?: string;
  difficulty?: string;
  format?: "score" | "speed";
  seats?: number;
  rated?: boolean;
  time_limit_ms?: number;
  host?: string;
  entrants?: unknown[];
  spectators?: number;
  starts_at?: string | null;
  deadline_at?: string | null;
}

/**
 * The first message of a socket. With `since`, the number of the last event that
 * is known, the missing events follow and then a `heartbeat` with this `id`;
 * without, or where too many are missing, a `race.snapshot`. In the lobby:
 * `lobby.snapshot`.
 */
export interface Hello {
  since?: number | null;
}

/** Take a seat. Answered, as all `race.` messages, by a `race.snapshot`. */
export type RaceJoin = Record<string, never>;

/** Give the seat back, before the start. */
export type RaceLeave = Record<string, never>;

/** Be ready; once all are, the countdown begins. */
export type RaceReady = Record<string, never>;

/** Be ready no longer. */
export type RaceUnready = Record<string, never>;

/** The host begins the countdown. */
export type RaceStart = Record<string, never>;

/** Give up. Within five seconds `race.unforfeit` takes it back. */
export type RaceForfeit = Record<string, never>;

/** Take a forfeit back, within five seconds. */
export type RaceUnforfeit = Record<string, never>;

/** Another race of the same people on a new dungeon; answer `race.rematched`. */
export type RaceRematch = Record<string, never>;

/**
 * Play a move of your run, which stands at `index`. The frame's `id` is the key:
 * sent again with the same id, the first answer comes again.
 */
export interface MovePlay {
  index: number;
  move: string;
}

/** Say something; entrants of a running race, only the fixed phrases. */
export interface ChatSay {
  text: string;
}

/** Ask for a fresh snapshot, because an event is missing. */
export type Resync = Record<string, never>;

/** Measure the way: `t0` comes back in `pong`, with the server's time. */
export interface Ping {
  t0: number;
}

/** What the page sends, by `t`. */
export interface ClientMessages {
  hello: Hello;
  "race.join": RaceJoin;
  "race.leave": RaceLeave;
  "race.ready": RaceReady;
  "race.unready": RaceUnready;
  "race.start": RaceStart;
  "race.forfeit": RaceForfeit;
  "race.unforfeit": RaceUnforfeit;
  "race.rematch": RaceRematch;
  "move.play": MovePlay;
  "chat.say": ChatSay;
  resync: Resync;
  ping: Ping;
}

/** The socket is open; who you are and what is allowed. */
export interface Welcome {
  server_time: string;
  limits: Limits;
  you: You;
}

/** The race as you may see it after event `race.seq`; forget what you knew. */
export interface RaceSnapshot {
  race: Race;
}

/**
 * One thing that happened; the frame's `seq` numbers it and its `at` dates it.
 * What you must not know yet comes as kind `hidden` with nothing else.
 */
export interface RaceEvent {
  kind: string;
  [field: string]: unknown;
}

/** Your run, unasked: at the start of the race, and when time ends it. */
export interface RunObservation {
  run: Run;
}

/** Your move is committed. `replayed`: it was before; this is that answer again. */
export interface MoveAccepted {
  run: Run;
  effects: Effect[];
  replayed: boolean;
}

/** The rematch you asked for. */
export interface RaceRematched {
  race: string;
}

/** A message was refused; `id` says which. Plain facts may stand beside `detail`. */
export interface Error {
  code: string;
  detail: string;
  retry_after_ms?: number;
  run?: Run;
}

/** Somebody said something. */
export interface ChatMessage {
  player?: string;
  text?: string;
  phrase?: string | null;
  audience?: string;
}

/** Open and live races, whenever the list has changed. */
export interface LobbySnapshot {
  races: LobbyRace[];
}

/** Every five seconds: the number of the race's last event. */
export interface Heartbeat {
  seq: number;
}

/** The answer to `ping`: `t0` as sent, `t1` the server's milliseconds since 1970. */
export interface Pong {
  t0: number;
  t1: number;
}

/** The server closes; come again after so many milliseconds (null: do not). */
export interface Bye {
  reason: string;
  retry_after_ms: number | null;
}

/** What the server sends, by `t`. */
export interface ServerMessages {
  welcome: Welcome;
  "race.snapshot": RaceSnapshot;
  "race.event": RaceEvent;
  "run.observation": RunObservation;
  "move.accepted": MoveAccepted;
  "race.rematched": RaceRematched;
  error: Error;
  "chat.message": ChatMessage;
  "lobby.snapshot": LobbySnapshot;
  heartbeat: Heartbeat;
  pong: Pong;
  bye: Bye;
}

/** Why the server closes, by the code of the close. */
export const CLOSE_CODES = {
  4008: "you did not read what was sent",
  4400: "three bad frames within a minute",
  4401: "not signed in, or no longer",
  4403: "forbidden: a foreign page, or a token without the scope",
  4404: "there is no such race",
  4408: "nothing was said for too long",
  4429: "too many messages or sockets",
  4500: "something broke here",
  4503: "the server restarts; come again",
} as const;

/** A frame from here. `id` comes back in the answer; a move's is its key. */
export type ClientFrame = {
  [T in keyof ClientMessages]: {
    v: typeof VERSION;
    t: T;
    id?: string;
    d: ClientMessages[T];
  };
}[keyof ClientMessages];

/** A frame from the server. */
export type ServerFrame = {
  [T in keyof ServerMessages]: {
    v: typeof VERSION;
    t: T;
    id?: string;
    seq?: number;
    at: string;
    d: ServerMessages[T];
  };
}[keyof ServerMessages];
