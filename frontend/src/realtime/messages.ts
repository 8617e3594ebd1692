// Made by `python -m api.ws.protocol.generate`; do not edit.

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

/** One who races. Another's `score` and `run` are null until the race has closed. */
export interface Entrant {
  player: string;
  seat: number;
  kind: "player" | "house" | "ghost";
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
  forfeits_at: string | null;
  place: number | null;
  score: number | null;
  elapsed_ms: number | null;
  run: string | null;
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
  index: number;
  status: "playing" | "cleared" | "died" | "abandoned" | "expired" | "forfeited";
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
  id: string;
  kind: "practice" | "daily" | "race";
  player: string;
  ruleset: string;
  difficulty: string;
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

/** The reader's own seat; nulls for a spectator. */
export interface OwnSeat {
  seat: number | null;
  player: string | null;
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
  held: boolean;
  ruleset: string;
  difficulty: string;
  format: "score" | "speed";
  seats: number;
  rated: boolean;
  visibility: "public" | "link";
  time_limit_ms: number;
  start_mode: string;
  seal: string | null;
  seed: string | null;
  made_at: string;
  expires_at: string;
  starts_at: string | null;
  deadline_at: string | null;
  seq: number;
  rev: number;
  host: string;
  entrants: Entrant[];
  run: Run | null;
  you: OwnSeat;
  spectators: number;
  rematch: string | null;
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

/** The cards and numbers of a position, as its player sees them. */
export interface Table {
  index: number;
  status: "playing" | "cleared" | "died" | "abandoned" | "expired" | "forfeited";
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
}

/**
 * What an entrant came to: in `closed` all but the place, in `settled` the place
 * and, where it was rated, the rating.
 */
export interface Result {
  player: string;
  seat: number;
  state?:
    | "joined"
    | "ready"
    | "racing"
    | "cleared"
    | "died"
    | "forfeited"
    | "timed_out"
    | "no_show"
    | "disqualified";
  depth?: number;
  score?: number | null;
  elapsed_ms?: number | null;
  run?: string;
  place?: number | null;
  rating_before?: number;
  rating_change?: number;
}

/** Who has sat down in a race of the lobby. */
export interface LobbyEntrant {
  player: string;
  kind: "player" | "house" | "ghost";
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
}

/** A race in the lobby's list. */
export interface LobbyRace {
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
  time_limit_ms: number;
  host: string | null;
  entrants: LobbyEntrant[];
  spectators: number;
  made_at: string;
  expires_at: string;
  starts_at: string | null;
  deadline_at: string | null;
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
 * What you must not know yet comes as kind `hidden` with nothing else; of what you
 * may know only the outside, `depth` and `state` come, and `masked`. docs/races.md
 * lists the kinds and which fields each has.
 */
export interface RaceEvent {
  kind:
    | "made"
    | "joined"
    | "left"
    | "readied"
    | "unreadied"
    | "countdown_begun"
    | "cancelled"
    | "started"
    | "moved"
    | "forfeiting"
    | "forfeit_taken_back"
    | "ended"
    | "closed"
    | "settled"
    | "rematched"
    | "appeared"
    | "vanished"
    | "held"
    | "released"
    | "voided"
    | "restored"
    | "disqualified"
    | "requalified"
    | "corrected"
    | "unsaid"
    | "hidden";
  player?: string;
  seat?: number;
  rev?: number;
  masked?: boolean;
  entrant?: Entrant;
  host?: string;
  reason?: string;
  starts_at?: string;
  deadline_at?: string;
  until?: string;
  seal?: string;
  depth?: number;
  state?:
    | "joined"
    | "ready"
    | "racing"
    | "cleared"
    | "died"
    | "forfeited"
    | "timed_out"
    | "no_show"
    | "disqualified";
  index?: number;
  move?: string;
  effects?: Effect[];
  table?: Table;
  score?: number | null;
  elapsed_ms?: number;
  seed?: string;
  results?: Result[];
  rated?: boolean;
  race?: string;
  phase?:
    | "open"
    | "countdown"
    | "running"
    | "closed"
    | "settled"
    | "cancelled"
    | "held"
    | "voided";
  held?: boolean;
  number?: number;
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
  [field: string]: unknown;
}

/** Somebody said something: free text, or a phrase's words. Yours is the answer. */
export interface ChatMessage {
  number: number;
  player: string;
  room: "entrants" | "spectators";
  phrase: string | null;
  text: string;
  at: string;
}

/** Open and live races, whenever the list has changed. */
export interface LobbySnapshot {
  races: LobbyRace[];
}

/** Something was done about your account, or taken back: ask `GET standing/`. */
export interface StandingChanged {
  rev: number;
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
  "standing.changed": StandingChanged;
  heartbeat: Heartbeat;
  pong: Pong;
  bye: Bye;
}

/** Why the server closes, by the code of the close. */
export const CLOSE_CODES = {
  4008: "the client did not read what was sent",
  4400: "three bad frames within a minute",
  4401: "not signed in, or no longer",
  4403: "a foreign origin, a token without the scope, or a banned account",
  4404: "there is no such race",
  4408: "the client sent nothing for too long",
  4429: "too many messages or sockets",
  4500: "an internal error; it has been logged",
  4503: "the server is restarting; connect again",
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
