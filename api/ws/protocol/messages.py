"""Every message of the websocket, typed, grouped by direction.

The one declaration of every message. `generate` makes the page's types,
docs/asyncapi.json and the table in docs/protocol.md from it; `frames` checks what
clients send against it. A frame is {v, t, id?, seq?, at, d}: `t` names the message, `d`
holds its fields. Handling a message is not this module's concern.
"""

from typing import Annotated, Final, NotRequired, TypedDict

from msgspec import Meta, Struct

from game.selectors.core.wire import Instant
from game.selectors.races.schemas import ChatMessage, EventFields, LobbyRace, Race
from game.selectors.runs.schemas import MoveAnswer, Run

VERSION: Final = 1

# Whole numbers that every JSON reader keeps exact.
EXACT: Final = 2**53 - 1
# No control characters, no half of a surrogate pair.
PLAIN: Final = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\ud800-\udfff])"


# --- What clients send ----------------------------------------------------------


class Hello(Struct, frozen=True):
    """The first message of a socket. With `since`, the number of the last event that is
    known, the missing events follow and then a `heartbeat` with this `id`; without, or
    where too many are missing, a `race.snapshot`. In the lobby: `lobby.snapshot`.
    """

    since: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


class RaceJoin(Struct, frozen=True):
    """Take a seat. Answered, as all `race.` messages, by a `race.snapshot`."""


class RaceLeave(Struct, frozen=True):
    """Give the seat back, before the start."""


class RaceReady(Struct, frozen=True):
    """Be ready; once all are, the countdown begins."""


class RaceUnready(Struct, frozen=True):
    """Be ready no longer."""


class RaceStart(Struct, frozen=True):
    """The host begins the countdown."""


class RaceForfeit(Struct, frozen=True):
    """Give up. Within five seconds `race.unforfeit` takes it back."""


class RaceUnforfeit(Struct, frozen=True):
    """Take a forfeit back, within five seconds."""


class RaceRematch(Struct, frozen=True):
    """Another race of the same people on a new dungeon; answer `race.rematched`."""


class MovePlay(Struct, frozen=True):
    """Play a move of your run, which stands at `index`. The frame's `id` is the key:
    sent again with the same id, the first answer comes again.
    """

    index: Annotated[int, Meta(ge=0, le=999)]
    move: Annotated[str, Meta(min_length=1, max_length=16, pattern=PLAIN)]


class ChatSay(Struct, frozen=True):
    """Say something; entrants of a running race, only the fixed phrases."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=PLAIN)]


class Resync(Struct, frozen=True):
    """Ask for a fresh snapshot, because an event is missing."""


class Ping(Struct, frozen=True):
    """Measure the way: `t0` comes back in `pong`, with the server's time."""

    t0: (
        Annotated[int, Meta(ge=-EXACT, le=EXACT)]
        | Annotated[float, Meta(ge=-EXACT, le=EXACT)]
    )


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


class Welcome(TypedDict):
    """The socket is open; who you are and what is allowed."""

    server_time: Instant
    limits: Limits
    you: You


class RaceSnapshot(TypedDict):
    """The race as you may see it after event `race.seq`; forget what you knew."""

    race: Race


class RunObservation(TypedDict):
    """Your run, unasked: at the start of the race, and when time ends it."""

    run: Run


class RaceRematched(TypedDict):
    """The rematch you asked for."""

    race: str


class Error(TypedDict):
    """A message was refused; `id` says which. Plain facts may stand beside `detail`."""

    code: str
    detail: str
    retry_after_ms: NotRequired[int]
    run: NotRequired[Run]


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


SERVER: Final[dict[str, type]] = {
    "welcome": Welcome,
    "race.snapshot": RaceSnapshot,
    "race.event": EventFields,
    "run.observation": RunObservation,
    "move.accepted": MoveAnswer,
    "race.rematched": RaceRematched,
    "error": Error,
    "chat.message": ChatMessage,
    "lobby.snapshot": LobbySnapshot,
    "standing.changed": StandingChanged,
    "heartbeat": Heartbeat,
    "pong": Pong,
    "bye": Bye,
}
