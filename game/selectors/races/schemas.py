"""The JSON objects of races, their events and chat, the lobby and quick matches."""

from typing import Annotated, NotRequired, TypedDict

from game.contest import events, race
from game.contest.phrases import PHRASES
from game.models import ChatMessage as ChatModel
from game.models import Race as RaceModel
from game.rules.schemas import Effect, Table
from game.selectors.core.wire import Instant, Url, one_of
from game.selectors.runs.schemas import DifficultyKey, RulesetKey, Run

RacePhase = Annotated[str, one_of("RacePhase", race.RacePhase)]
RaceFormat = Annotated[str, one_of("RaceFormat", RaceModel.Format.values)]
Visibility = Annotated[str, one_of("Visibility", RaceModel.Visibility.values)]
EntrantKind = Annotated[str, one_of("EntrantKind", race.ShownKind)]
EntrantState = Annotated[str, one_of("EntrantState", race.EntrantState)]
EventKind = Annotated[str, one_of("EventKind", [*events.EventKind, events.HIDDEN])]
ChatRoom = Annotated[str, one_of("ChatRoom", ChatModel.Room.values)]
PhraseKey = Annotated[str, one_of("PhraseKey", PHRASES)]
MatchState = Annotated[
    str, one_of("MatchState", ["idle", "waiting", "offered", "accepted", "matched"])
]


class Entrant(TypedDict):
    """An entrant. Other entrants' `score` and `run` are null until the race has closed.

    `kind`: `player` is a person; `bot` an account that a program plays (a bot account,
    or any account from its first move by token); `house` a bot of the server; `ghost`
    the replay of a run.
    `away_since`: since when a player is away; null while present, and for bots and
    ghosts. `unready_since`: since when they have not been ready; null while ready, and
    from the start.
    """

    player: str
    seat: int
    kind: EntrantKind
    state: EntrantState
    depth: int
    present: bool
    away_since: Instant | None
    unready_since: Instant | None
    forfeits_at: Instant | None
    place: int | None
    score: int | None
    elapsed_ms: int | None
    run: str | None
    rating_before: int | None
    rating_change: int | None


class OwnSeat(TypedDict):
    """Your own seat; nulls for a spectator."""

    seat: int | None
    player: str | None


class Race(TypedDict):
    """A race as its reader may see it at event number `seq`; `run` is the reader's.

    `unrated_at`: it was rated until the server was down for its rest, until then.
    `gives_points`: whether it gives points and records: it is rated, and the system
    paired its entrants. `linked`: the system paired linked accounts, so it is unrated;
    only its entrants are told. `full_since`: since when no seat is free; null while one
    is. In an open public race, a seat is released `seat_release_ms` after the later of
    that and the entrant's `unready_since`; null: it is not. Once your own run has ended
    and all who still race have been away for `early_close_ms`, you may close the race;
    null: not in this format.
    """

    id: str
    phase: RacePhase
    held: bool
    ruleset: RulesetKey
    difficulty: DifficultyKey
    format: RaceFormat
    seats: int
    rated: bool
    unrated_at: Instant | None
    gives_points: bool
    linked: bool
    visibility: Visibility
    time_limit_ms: int
    start_mode: str
    seal: str | None
    seed: str | None
    made_at: Instant
    expires_at: Instant
    starts_at: Instant | None
    deadline_at: Instant | None
    seq: int
    rev: int
    host: str
    entrants: list[Entrant]
    run: Run | None
    you: OwnSeat
    spectators: int
    rematch: str | None
    full_since: Instant | None
    seat_release_ms: int | None
    early_close_ms: int | None


class RaceDone(TypedDict):
    """An act was done: in which race, and the number of its last event after it."""

    race_id: str
    seq: int


class Result(TypedDict):
    """What an entrant achieved: in `closed` all but the place, in `settled` the place
    and, where the race was rated, the rating.
    """

    player: str
    seat: int
    state: NotRequired[EntrantState]
    depth: NotRequired[int]
    score: NotRequired[int | None]
    elapsed_ms: NotRequired[int | None]
    run: NotRequired[str]
    place: NotRequired[int | None]
    rating_before: NotRequired[int]
    rating_change: NotRequired[int]


class EventFields(TypedDict):
    """One thing that happened. What you must not know yet comes as kind `hidden` with
    nothing else; where you may know only that somebody advanced, `depth` and `state`
    come, and `masked`. docs/races.md lists the kinds and which fields each has.
    """

    kind: EventKind
    player: NotRequired[str]
    seat: NotRequired[int]
    rev: NotRequired[int]
    masked: NotRequired[bool]
    entrant: NotRequired[Entrant]
    entrant_kind: NotRequired[EntrantKind]
    host: NotRequired[str]
    reason: NotRequired[str]
    starts_at: NotRequired[Instant]
    deadline_at: NotRequired[Instant]
    until: NotRequired[Instant]
    seal: NotRequired[str]
    depth: NotRequired[int]
    state: NotRequired[EntrantState]
    index: NotRequired[int]
    move: NotRequired[str]
    effects: NotRequired[list[Effect]]
    table: NotRequired[Table]
    score: NotRequired[int | None]
    elapsed_ms: NotRequired[int]
    seed: NotRequired[str]
    results: NotRequired[list[Result]]
    rated: NotRequired[bool]
    outage_ms: NotRequired[int]
    unrated_at: NotRequired[Instant]
    race: NotRequired[str]
    phase: NotRequired[RacePhase]
    held: NotRequired[bool]
    number: NotRequired[int]


class RaceEvent(EventFields):
    """A numbered event; `kind` says which further fields there are (docs/races.md)."""

    seq: int
    at: Instant


class RaceEvents(TypedDict):
    """Events in order, at most 500; ask again with the last `seq` for more."""

    results: list[RaceEvent]


class ChatMessage(TypedDict):
    """A chat message: free text, or the words of a phrase."""

    number: int
    player: str
    room: ChatRoom
    phrase: PhraseKey | None
    text: str
    at: Instant


class Chat(TypedDict):
    """Messages in order, and the phrases there are."""

    results: list[ChatMessage]
    phrases: dict[str, str]


class LobbyEntrant(TypedDict):
    """Who has a seat in a race of the lobby."""

    player: str
    kind: EntrantKind
    state: EntrantState
    depth: int


class LobbyRace(TypedDict):
    """A race in the lobby's list."""

    id: str
    phase: RacePhase
    ruleset: RulesetKey
    difficulty: DifficultyKey
    format: RaceFormat
    seats: int
    rated: bool
    time_limit_ms: int
    host: str | None
    entrants: list[LobbyEntrant]
    spectators: int
    made_at: Instant
    expires_at: Instant
    starts_at: Instant | None
    deadline_at: Instant | None


class LobbyRacePage(TypedDict):
    """A page of the lobby, newest race first."""

    results: list[LobbyRace]
    next: Url | None


class MatchOffer(TypedDict):
    """Whom you are offered, and until when.

    `linked`: the match is unrated because your accounts share a browser, a mailbox or a
    network address, and nobody else is searching.
    """

    accept_by: Instant
    opponent: str
    rating: int
    rated: bool
    linked: bool
    opponent_accepted: bool


class Wait(TypedDict):
    """Why you may not race for a rating yet. `grade`, of `grades`, rises each time you
    leave a rated race.
    """

    code: str
    until: Instant
    retry_after_s: int
    reason: str
    race: str
    grade: int
    grades: int


class MatchPause(TypedDict):
    """You are offered no match until then, because you declined offers or let them run
    out.
    """

    until: Instant
    retry_after_s: int


class Match(TypedDict):
    """Your search for a quick match. `window`: how far apart the two ratings may be by
    now, null for any. `house`: a bot may be raced instead. `pause`: null for none.
    """

    state: MatchState
    ruleset: RulesetKey | None
    format: RaceFormat | None
    since: Instant | None
    waited_ms: int
    window: int | None
    offer: MatchOffer | None
    house: bool
    race: str | None
    wait: Wait | None
    pause: MatchPause | None


class RaceLine(TypedDict):
    """A race that is over, as a line of a player's list."""

    id: str
    ruleset: RulesetKey
    difficulty: DifficultyKey
    format: RaceFormat
    rated: bool
    settled_at: Instant
    players: list[str]
    place: int | None
    score: int
    elapsed_ms: int
    rating_change: int | None
    run: str


class RaceLinePage(TypedDict):
    """A page of a player's races, the latest settled first."""

    results: list[RaceLine]
    next: Url | None
