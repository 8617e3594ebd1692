// Made by `npm run gen` from docs/asyncapi.json; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        DifficultyKey: "normal" | "easy" | "hard";
        /** @enum {string} */
        RaceFormat: "score" | "speed";
        /** @enum {string} */
        RacePhase: "open" | "countdown" | "running" | "closed" | "settled" | "cancelled" | "held" | "voided";
        /** @enum {string} */
        RulesetKey: "tavern-1" | "bound-1" | "flee-1" | "original-1";
        /** @enum {string} */
        Visibility: "public" | "link";
        /** @enum {string} */
        EntrantKind: "player" | "bot" | "house" | "ghost";
        /** @enum {string} */
        EntrantState: "joined" | "ready" | "racing" | "cleared" | "died" | "forfeited" | "timed_out" | "no_show" | "disqualified";
        /** @enum {string} */
        RunKind: "practice" | "daily" | "race";
        /** @enum {string} */
        BoardPool: "people" | "bots";
        /** @enum {string} */
        RunStatus: "abandoned" | "cleared" | "died" | "expired" | "forfeited" | "playing";
        /** @enum {string} */
        PartName: "health" | "last_potion" | "monsters_in_dungeon" | "monsters_in_room";
        /** @enum {string} */
        EventKind: "made" | "joined" | "left" | "readied" | "unreadied" | "countdown_begun" | "cancelled" | "started" | "moved" | "forfeiting" | "forfeit_taken_back" | "ended" | "closed_early" | "closed" | "settled" | "rematched" | "appeared" | "vanished" | "outage" | "held" | "released" | "voided" | "restored" | "disqualified" | "requalified" | "corrected" | "unsaid" | "hidden";
        /** @enum {string} */
        EffectKind: "avoided" | "cleared" | "dealt" | "died" | "equipped" | "fought" | "healed" | "wasted";
        /** @enum {string} */
        PhraseKey: "hello" | "good_luck" | "ready" | "one_moment" | "ouch" | "well_played" | "good_race" | "thanks" | "again" | "bye";
        /** @enum {string} */
        ChatRoom: "entrants" | "spectators";
        /** @description The first message of a socket. With `since`, the number of your last event, the missing events are sent and then a `heartbeat` with this `id`. Without it, or if too many events are missing, the answer is a `race.snapshot`; in the lobby it is a `lobby.snapshot`. */
        Hello: {
            since?: number | null;
        };
        /** @description Join the race. All `race.` messages are answered by a `race.snapshot`. */
        RaceJoin: Record<string, never>;
        /** @description Leave the race before its start. In the countdown of a rated race this counts as abandoning it. */
        RaceLeave: Record<string, never>;
        /** @description Remove the entrant of that seat before the start. Only the host may. They cannot join again. */
        RaceRemove: {
            seat: number;
        };
        /** @description Get ready. The countdown begins when all entrants are ready. */
        RaceReady: Record<string, never>;
        /** @description Withdraw `race.ready`. */
        RaceUnready: Record<string, never>;
        /** @description Begin the countdown. Only the host may. */
        RaceStart: Record<string, never>;
        /** @description Give up. `race.unforfeit` takes it back within five seconds. */
        RaceForfeit: Record<string, never>;
        /** @description Take a forfeit back within five seconds. */
        RaceUnforfeit: Record<string, never>;
        /** @description End a score race once your own run has ended and everybody who still races has been away for a minute. They keep their score so far. */
        RaceClose: Record<string, never>;
        /** @description Make a race of the same players on a new dungeon. Answer: `race.rematched`. */
        RaceRematch: Record<string, never>;
        /** @description Play a move of your run, whose current index is `index`. The frame's `id` is the idempotency key: the same frame sent again gets the first answer. */
        MovePlay: {
            index: number;
            move: string;
        };
        /** @description Write a chat message. Entrants of a running race may use fixed phrases only. */
        ChatSay: {
            text: string;
        };
        /** @description Ask for a snapshot, because an event is missing. */
        Resync: Record<string, never>;
        /** @description Measure the round trip. `pong` repeats `t0` and adds the server's time. */
        Ping: {
            t0: number;
        };
        /** @description The socket is open: your account and the limits. */
        Welcome: {
            limits: components["schemas"]["Limits"];
            /** Format: date-time */
            server_time: string;
            you: components["schemas"]["You"];
        };
        /** @description What the server allows on a socket; times in milliseconds, sizes in bytes. */
        Limits: {
            burst: number;
            frame_bytes: number;
            heartbeat_ms: number;
            idle_ms: number;
            per_second: number;
            sockets_per_account: number;
            sockets_per_address: number;
            unsent_bytes: number;
        };
        /** @description The account of the socket. */
        You: {
            id: string;
            is_bot: boolean;
            is_guest: boolean;
            name: string;
        };
        /** @description The race as you may see it after event `race.seq`. Replaces all earlier state. */
        RaceSnapshot: {
            race: components["schemas"]["Race"];
        };
        /** @description A race as its reader may see it at event number `seq`; `run` is the reader's. `unrated_at`: it was rated until the server was down for its rest, until then. `gives_points`: whether it gives points and records: it is rated, and the system paired its entrants. `linked`: the system paired linked accounts, so it is unrated; only its entrants are told. `full_since`: since when no seat is free; null while one is. In an open public race, a seat is released `seat_release_ms` after the later of that and the entrant's `unready_since`; null: it is not. Once your own run has ended and all who still race have been away for `early_close_ms`, you may close the race; null: not in this format. */
        Race: {
            deadline_at: string | null;
            difficulty: components["schemas"]["DifficultyKey"];
            early_close_ms: number | null;
            entrants: components["schemas"]["Entrant"][];
            /** Format: date-time */
            expires_at: string;
            format: components["schemas"]["RaceFormat"];
            full_since: string | null;
            gives_points: boolean;
            held: boolean;
            host: string;
            id: string;
            linked: boolean;
            /** Format: date-time */
            made_at: string;
            phase: components["schemas"]["RacePhase"];
            rated: boolean;
            rematch: string | null;
            rev: number;
            ruleset: components["schemas"]["RulesetKey"];
            run: components["schemas"]["Run"] | null;
            seal: string | null;
            seat_release_ms: number | null;
            seats: number;
            seed: string | null;
            seq: number;
            spectators: number;
            start_mode: string;
            starts_at: string | null;
            time_limit_ms: number;
            unrated_at: string | null;
            visibility: components["schemas"]["Visibility"];
            you: components["schemas"]["OwnSeat"];
        };
        /** @description An entrant. Other entrants' `score` and `run` are null until the race has closed. `kind`: `player` is a person; `bot` an account that a program plays (a bot account, or any account from its first move by token); `house` a bot of the server; `ghost` the replay of a run. `away_since`: since when a player is away; null while present, and for bots and ghosts. `unready_since`: since when they have not been ready; null while ready, and from the start. */
        Entrant: {
            away_since: string | null;
            depth: number;
            elapsed_ms: number | null;
            forfeits_at: string | null;
            kind: components["schemas"]["EntrantKind"];
            place: number | null;
            player: string;
            present: boolean;
            rating_before: number | null;
            rating_change: number | null;
            run: string | null;
            score: number | null;
            seat: number;
            state: components["schemas"]["EntrantState"];
            unready_since: string | null;
        };
        /** @description A run as its own player may see it. `pool`: among whom it is ranked; `bots` from its first move that was sent with a token. `coached`: a move was undone or the coach was asked, so the run is never ranked, counted or measured. */
        Run: {
            avoided_last: boolean;
            blocked: components["schemas"]["BlockedMove"][];
            bottom: string[];
            breakdown: components["schemas"]["Part"][] | null;
            cap: number;
            coached: boolean;
            daily: string | null;
            difficulty: components["schemas"]["DifficultyKey"];
            dungeon_left: number;
            elapsed_ms: number;
            faced: number;
            faced_in_room: number;
            finished_at: string | null;
            health: number;
            id: string;
            index: number;
            kind: components["schemas"]["RunKind"];
            legal: components["schemas"]["LegalMove"][];
            player: string;
            pool: components["schemas"]["BoardPool"];
            potential_score: number;
            potion_used: boolean;
            race: string | null;
            room: string[];
            room_number: number;
            ruleset: components["schemas"]["RulesetKey"];
            score: number | null;
            seal: string;
            seed: string | null;
            /** Format: date-time */
            started_at: string;
            status: components["schemas"]["RunStatus"];
            weapon: components["schemas"]["Weapon"] | null;
        };
        /** @description An armed fight, or avoiding, that is refused here, and why. */
        BlockedMove: {
            code: string;
            detail: string;
            move: string;
        };
        /** @description A line of a score's breakdown. */
        Part: {
            part: components["schemas"]["PartName"];
            value: number;
        };
        /** @description A legal move and what it would cost or heal. */
        LegalMove: {
            action: components["schemas"]["Action"];
            armed: boolean | null;
            card: string | null;
            damage: number;
            drops: string[];
            heal: number;
            health_after: number;
            lethal: boolean;
            move: string;
            wasted: boolean;
        };
        /**
         * @description What a move does.
         * @enum {string}
         */
        Action: "avoid" | "drink" | "equip" | "fight";
        /** @description The weapon held; `limit` is null while it is fresh. */
        Weapon: {
            card: string;
            kill_stack: string[];
            limit: number | null;
            limit_inclusive: boolean;
        };
        /** @description Your own seat; nulls for a spectator. */
        OwnSeat: {
            player: string | null;
            seat: number | null;
        };
        /** @description One thing that happened. What you must not know yet comes as kind `hidden` with nothing else; where you may know only that somebody advanced, `depth` and `state` come, and `masked`. docs/races.md lists the kinds and which fields each has. */
        EventFields: {
            /** Format: date-time */
            deadline_at?: string;
            depth?: number;
            effects?: components["schemas"]["Effect"][];
            elapsed_ms?: number;
            entrant?: components["schemas"]["Entrant"];
            entrant_kind?: components["schemas"]["EntrantKind"];
            held?: boolean;
            host?: string;
            index?: number;
            kind: components["schemas"]["EventKind"];
            masked?: boolean;
            move?: string;
            number?: number;
            outage_ms?: number;
            phase?: components["schemas"]["RacePhase"];
            player?: string;
            race?: string;
            rated?: boolean;
            reason?: string;
            results?: components["schemas"]["Result"][];
            rev?: number;
            score?: number | null;
            seal?: string;
            seat?: number;
            seed?: string;
            /** Format: date-time */
            starts_at?: string;
            state?: components["schemas"]["EntrantState"];
            table?: components["schemas"]["Table"];
            /** Format: date-time */
            unrated_at?: string;
            /** Format: date-time */
            until?: string;
        };
        /** @description What a move did; `kind` says which of the other fields there are. */
        Effect: {
            amount?: number;
            armed?: boolean;
            card?: string;
            cards?: string[];
            damage?: number;
            discarded?: string[];
            health?: number;
            kind: components["schemas"]["EffectKind"];
        };
        /** @description What an entrant achieved: in `closed` all but the place, in `settled` the place and, where the race was rated, the rating. */
        Result: {
            depth?: number;
            elapsed_ms?: number | null;
            place?: number | null;
            player: string;
            rating_before?: number;
            rating_change?: number;
            run?: string;
            score?: number | null;
            seat: number;
            state?: components["schemas"]["EntrantState"];
        };
        /** @description The cards and numbers of a position, as its player sees them. */
        Table: {
            avoided_last: boolean;
            bottom: string[];
            cap: number;
            dungeon_left: number;
            faced: number;
            faced_in_room: number;
            health: number;
            index: number;
            potion_used: boolean;
            room: string[];
            room_number: number;
            status: components["schemas"]["RunStatus"];
            weapon: components["schemas"]["Weapon"] | null;
        };
        /** @description Your run, when something else than a move on this socket has changed it: the start of the race, a move on another socket, the deadline, a forfeit. */
        RunObservation: {
            run: components["schemas"]["Run"];
        };
        /** @description A committed move. `replayed`: it was committed before, and this is the first answer again. */
        MoveAnswer: {
            effects: components["schemas"]["Effect"][];
            replayed: boolean;
            run: components["schemas"]["Run"];
        };
        /** @description The rematch you asked for. */
        RaceRematched: {
            race: string;
        };
        /** @description The message with this `id` was refused. Some codes have further fields. */
        Error: {
            code: string;
            detail: string;
            retry_after_ms?: number;
            run?: components["schemas"]["Run"];
        } & {
            [key: string]: unknown;
        };
        /** @description A chat message: free text, or the words of a phrase. */
        ChatMessage: {
            /** Format: date-time */
            at: string;
            number: number;
            phrase: components["schemas"]["PhraseKey"] | null;
            player: string;
            room: components["schemas"]["ChatRoom"];
            text: string;
        };
        /** @description The open and live races. Sent again whenever the list changes. */
        LobbySnapshot: {
            races: components["schemas"]["LobbyRace"][];
        };
        /** @description A race in the lobby's list. */
        LobbyRace: {
            deadline_at: string | null;
            difficulty: components["schemas"]["DifficultyKey"];
            entrants: components["schemas"]["LobbyEntrant"][];
            /** Format: date-time */
            expires_at: string;
            format: components["schemas"]["RaceFormat"];
            host: string | null;
            id: string;
            /** Format: date-time */
            made_at: string;
            phase: components["schemas"]["RacePhase"];
            rated: boolean;
            ruleset: components["schemas"]["RulesetKey"];
            seats: number;
            spectators: number;
            starts_at: string | null;
            time_limit_ms: number;
        };
        /** @description Who has a seat in a race of the lobby. */
        LobbyEntrant: {
            depth: number;
            kind: components["schemas"]["EntrantKind"];
            player: string;
            state: components["schemas"]["EntrantState"];
        };
        /** @description A moderation act about your account was taken or undone. See `GET standing/`. */
        StandingChanged: {
            rev: number;
        };
        /** @description Sent every five seconds with the number of the race's last event. */
        Heartbeat: {
            seq: number;
        };
        /** @description The answer to `ping`: `t0` as sent, `t1` the server's time in ms since 1970. */
        Pong: {
            t0: number;
            t1: number;
        };
        /** @description The server closes the socket. Reconnect after `retry_after_ms`; null: do not. */
        Bye: {
            reason: string;
            retry_after_ms: number | null;
        };
        ClientMessages: {
            hello: components["schemas"]["Hello"];
            "race.join": components["schemas"]["RaceJoin"];
            "race.leave": components["schemas"]["RaceLeave"];
            "race.remove": components["schemas"]["RaceRemove"];
            "race.ready": components["schemas"]["RaceReady"];
            "race.unready": components["schemas"]["RaceUnready"];
            "race.start": components["schemas"]["RaceStart"];
            "race.forfeit": components["schemas"]["RaceForfeit"];
            "race.unforfeit": components["schemas"]["RaceUnforfeit"];
            "race.close": components["schemas"]["RaceClose"];
            "race.rematch": components["schemas"]["RaceRematch"];
            "move.play": components["schemas"]["MovePlay"];
            "chat.say": components["schemas"]["ChatSay"];
            resync: components["schemas"]["Resync"];
            ping: components["schemas"]["Ping"];
        };
        ServerMessages: {
            welcome: components["schemas"]["Welcome"];
            "race.snapshot": components["schemas"]["RaceSnapshot"];
            "race.event": components["schemas"]["EventFields"];
            "run.observation": components["schemas"]["RunObservation"];
            "move.accepted": components["schemas"]["MoveAnswer"];
            "race.rematched": components["schemas"]["RaceRematched"];
            error: components["schemas"]["Error"];
            "chat.message": components["schemas"]["ChatMessage"];
            "lobby.snapshot": components["schemas"]["LobbySnapshot"];
            "standing.changed": components["schemas"]["StandingChanged"];
            heartbeat: components["schemas"]["Heartbeat"];
            pong: components["schemas"]["Pong"];
            bye: components["schemas"]["Bye"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
