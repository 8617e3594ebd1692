"""The objects that messages carry: runs, races, lobby entries, and their parts.

Types only, read by type checkers and by `generate`. Selectors and services build
these objects; nothing here does.
"""

from typing import Literal, NotRequired, TypedDict

RunStatus = Literal["playing", "cleared", "died", "abandoned", "expired", "forfeited"]
RunKind = Literal["practice", "daily", "race"]
Action = Literal["fight", "equip", "drink", "avoid"]
Phase = Literal[
    "open", "countdown", "running", "closed", "settled", "cancelled", "held", "voided"
]
Format = Literal["score", "speed"]
Visibility = Literal["public", "link"]
ChatRoom = Literal["entrants", "spectators"]
EntrantKind = Literal["player", "house", "ghost"]
EntrantState = Literal[
    "joined",
    "ready",
    "racing",
    "cleared",
    "died",
    "forfeited",
    "timed_out",
    "no_show",
    "disqualified",
]
EventKind = Literal[
    "made",
    "joined",
    "left",
    "readied",
    "unreadied",
    "countdown_begun",
    "cancelled",
    "started",
    "moved",
    "forfeiting",
    "forfeit_taken_back",
    "ended",
    "closed",
    "settled",
    "rematched",
    "appeared",
    "vanished",
    "held",
    "released",
    "voided",
    "restored",
    "disqualified",
    "requalified",
    "corrected",
    "unsaid",
    "hidden",
]


class Weapon(TypedDict):
    """The weapon held; `limit` is null while it is fresh."""

    card: str
    kill_stack: list[str]
    limit: int | None
    limit_inclusive: bool


class LegalMove(TypedDict):
    """A legal move and what it would cost or heal."""

    move: str
    card: str | None
    action: Action
    armed: bool | None
    damage: int
    heal: int
    wasted: bool
    health_after: int
    lethal: bool
    drops: list[str]


class BlockedMove(TypedDict):
    """An armed fight, or avoiding, that is refused here, and why."""

    move: str
    code: str
    detail: str


class Part(TypedDict):
    """A line of a score's breakdown."""

    part: str
    value: int


class Table(TypedDict):
    """The cards and numbers of a position, as its player sees them."""

    index: int
    status: RunStatus
    health: int
    cap: int
    room: list[str]
    faced_in_room: int
    faced: int
    room_number: int
    weapon: Weapon | None
    potion_used: bool
    avoided_last: bool
    dungeon_left: int
    bottom: list[str]


class Run(Table):
    """A run as its own player may see it."""

    id: str
    kind: RunKind
    player: str
    ruleset: str
    difficulty: str
    legal: list[LegalMove]
    blocked: list[BlockedMove]
    score: int | None
    potential_score: int
    breakdown: list[Part] | None
    seal: str
    seed: str | None
    started_at: str
    finished_at: str | None
    elapsed_ms: int
    race: str | None
    daily: str | None


class Effect(TypedDict, total=False):
    """What a move did; `kind` says which of the other fields there are."""

    kind: Literal[
        "fought",
        "equipped",
        "healed",
        "wasted",
        "avoided",
        "dealt",
        "died",
        "cleared",
    ]
    card: str
    cards: list[str]
    discarded: list[str]
    armed: bool
    damage: int
    amount: int
    health: int


class Entrant(TypedDict):
    """One who races. Another's `score` and `run` are null until the race has closed."""

    player: str
    seat: int
    kind: EntrantKind
    state: EntrantState
    depth: int
    present: bool
    forfeits_at: str | None
    place: int | None
    score: int | None
    elapsed_ms: int | None
    run: str | None
    rating_before: int | None
    rating_change: int | None


class OwnSeat(TypedDict):
    """The reader's own seat; nulls for a spectator."""

    seat: int | None
    player: str | None


class Race(TypedDict):
    """A race as its reader may see it at event number `seq`; `run` is his own."""

    id: str
    phase: Phase
    held: bool
    ruleset: str
    difficulty: str
    format: Format
    seats: int
    rated: bool
    visibility: Visibility
    time_limit_ms: int
    start_mode: str
    seal: str | None
    seed: str | None
    made_at: str
    expires_at: str
    starts_at: str | None
    deadline_at: str | None
    seq: int
    rev: int
    host: str
    entrants: list[Entrant]
    run: Run | None
    you: OwnSeat
    spectators: int
    rematch: str | None


class Result(TypedDict):
    """What an entrant came to: in `closed` all but the place, in `settled` the place
    and, where it was rated, the rating.
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


class You(TypedDict):
    """Whom the server takes the reader for."""

    id: str
    name: str
    is_guest: bool
    is_bot: bool


class Limits(TypedDict):
    """What the server allows on a socket; times in milliseconds, sizes in bytes."""

    frame_bytes: int
    burst: int
    per_second: float
    sockets_per_account: int
    sockets_per_address: int
    unsent_bytes: int
    heartbeat_ms: int
    idle_ms: int


class LobbyEntrant(TypedDict):
    """Who has sat down in a race of the lobby."""

    player: str
    kind: EntrantKind
    state: EntrantState
    depth: int


class LobbyRace(TypedDict):
    """A race in the lobby's list."""

    id: str
    phase: Phase
    ruleset: str
    difficulty: str
    format: Format
    seats: int
    rated: bool
    time_limit_ms: int
    host: str | None
    entrants: list[LobbyEntrant]
    spectators: int
    made_at: str
    expires_at: str
    starts_at: str | None
    deadline_at: str | None
