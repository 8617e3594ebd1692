"""Every message of the websocket, typed, grouped by direction.

The one declaration of every message. `generate` makes the page's types,
docs/asyncapi.json and the table in docs/protocol.md from it; `frames` checks what
clients send against it. A frame is {v, t, id?, seq?, at, d}: `t` names the message, `d`
holds its fields. Handling a message is not this module's concern.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, NotRequired, TypedDict

from api.ws.protocol.shapes import (
    ChatRoom,
    Effect,
    Entrant,
    EntrantState,
    EventKind,
    Limits,
    LobbyRace,
    Phase,
    Race,
    Result,
    Run,
    Table,
    You,
)

VERSION: Final = 1


class Whole(NamedTuple):
    """A whole number within these bounds."""

    least: int
    most: int


class Text(NamedTuple):
    """Text of this many characters, none of them a control character."""

    least: int
    most: int


# --- What clients send ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a socket. With `since`, the number of the last event that is
    known, the missing events follow and then a `heartbeat` with this `id`; without, or
    where too many are missing, a `race.snapshot`. In the lobby: `lobby.snapshot`.
    """

    since: Annotated[int | None, Whole(0, 2**31 - 1)] = None


@dataclass(frozen=True, slots=True)
class RaceJoin:
    """Take a seat. Answered, as all `race.` messages, by a `race.snapshot`."""


@dataclass(frozen=True, slots=True)
class RaceLeave:
    """Give the seat back, before the start."""


@dataclass(frozen=True, slots=True)
class RaceReady:
    """Be ready; once all are, the countdown begins."""


@dataclass(frozen=True, slots=True)
class RaceUnready:
    """Be ready no longer."""


@dataclass(frozen=True, slots=True)
class RaceStart:
    """The host begins the countdown."""


@dataclass(frozen=True, slots=True)
class RaceForfeit:
    """Give up. Within five seconds `race.unforfeit` takes it back."""


@dataclass(frozen=True, slots=True)
class RaceUnforfeit:
    """Take a forfeit back, within five seconds."""


@dataclass(frozen=True, slots=True)
class RaceRematch:
    """Another race of the same people on a new dungeon; answer `race.rematched`."""


@dataclass(frozen=True, slots=True)
class MovePlay:
    """Play a move of your run, which stands at `index`. The frame's `id` is the key:
    sent again with the same id, the first answer comes again.
    """

    index: Annotated[int, Whole(0, 999)]
    move: Annotated[str, Text(1, 16)]


@dataclass(frozen=True, slots=True)
class ChatSay:
    """Say something; entrants of a running race, only the fixed phrases."""

    text: Annotated[str, Text(1, 500)]


@dataclass(frozen=True, slots=True)
class Resync:
    """Ask for a fresh snapshot, because an event is missing."""


@dataclass(frozen=True, slots=True)
class Ping:
    """Measure the way: `t0` comes back in `pong`, with the server's time."""

    t0: int | float


Asked = (
    Hello
    | RaceJoin
    | RaceLeave
    | RaceReady
    | RaceUnready
    | RaceStart
    | RaceForfeit
    | RaceUnforfeit
    | RaceRematch
    | MovePlay
    | ChatSay
    | Resync
    | Ping
)

CLIENT: Final[dict[str, type[Asked]]] = {
    "hello": Hello,
    "race.join": RaceJoin,
    "race.leave": RaceLeave,
    "race.ready": RaceReady,
    "race.unready": RaceUnready,
    "race.start": RaceStart,
    "race.forfeit": RaceForfeit,
    "race.unforfeit": RaceUnforfeit,
    "race.rematch": RaceRematch,
    "move.play": MovePlay,
    "chat.say": ChatSay,
    "resync": Resync,
    "ping": Ping,
}

# --- What the server sends ------------------------------------------------------


class Welcome(TypedDict):
    """The socket is open; who you are and what is allowed."""

    server_time: str
    limits: Limits
    you: You


class RaceSnapshot(TypedDict):
    """The race as you may see it after event `race.seq`; forget what you knew."""

    race: Race


class RaceEvent(TypedDict):
    """One thing that happened; the frame's `seq` numbers it and its `at` dates it.
    What you must not know yet comes as kind `hidden` with nothing else; of what you may
    know only the outside, `depth` and `state` come, and `masked`. docs/races.md lists
    the kinds and which fields each has.
    """

    kind: EventKind
    player: NotRequired[str]
    seat: NotRequired[int]
    rev: NotRequired[int]
    masked: NotRequired[bool]
    entrant: NotRequired[Entrant]
    host: NotRequired[str]
    reason: NotRequired[str]
    starts_at: NotRequired[str]
    deadline_at: NotRequired[str]
    until: NotRequired[str]
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
    race: NotRequired[str]
    phase: NotRequired[Phase]
    held: NotRequired[bool]
    number: NotRequired[int]


class RunObservation(TypedDict):
    """Your run, unasked: at the start of the race, and when time ends it."""

    run: Run


class MoveAccepted(TypedDict):
    """Your move is committed. `replayed`: it was before; this is that answer again."""

    run: Run
    effects: list[Effect]
    replayed: bool


class RaceRematched(TypedDict):
    """The rematch you asked for."""

    race: str


class Error(TypedDict):
    """A message was refused; `id` says which. Plain facts may stand beside `detail`."""

    code: str
    detail: str
    retry_after_ms: NotRequired[int]
    run: NotRequired[Run]


class ChatMessage(TypedDict):
    """Somebody said something: free text, or a phrase's words. Yours is the answer."""

    number: int
    player: str
    room: ChatRoom
    phrase: str | None
    text: str
    at: str


class LobbySnapshot(TypedDict):
    """Open and live races, whenever the list has changed."""

    races: list[LobbyRace]


class StandingChanged(TypedDict):
    """Something was done about your account, or taken back: ask `GET standing/`."""

    rev: int


class Heartbeat(TypedDict):
    """Every five seconds: the number of the race's last event."""

    seq: int


class Pong(TypedDict):
    """The answer to `ping`: `t0` as sent, `t1` the server's milliseconds since 1970."""

    t0: int | float
    t1: int


class Bye(TypedDict):
    """The server closes; come again after so many milliseconds (null: do not)."""

    reason: str
    retry_after_ms: int | None


SERVER: Final[dict[str, Any]] = {
    "welcome": Welcome,
    "race.snapshot": RaceSnapshot,
    "race.event": RaceEvent,
    "run.observation": RunObservation,
    "move.accepted": MoveAccepted,
    "race.rematched": RaceRematched,
    "error": Error,
    "chat.message": ChatMessage,
    "lobby.snapshot": LobbySnapshot,
    "standing.changed": StandingChanged,
    "heartbeat": Heartbeat,
    "pong": Pong,
    "bye": Bye,
}
