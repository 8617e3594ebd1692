"""Every message of the websocket, typed, grouped by direction.

The only declaration of the messages. The page's types, docs/asyncapi.json and the
tables in docs/protocol.md are generated from it (docstrings included), and `frames`
checks client messages against it. A frame is {v, t, id?, seq?, at, d}: `t` names the
message, `d` holds its fields.
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
    """The first message of a socket. With `since`, the number of your last event, the
    missing events are sent and then a `heartbeat` with this `id`. Without it, or if too
    many events are missing, the answer is a `race.snapshot`; in the lobby it is a
    `lobby.snapshot`.
    """

    since: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


class RaceJoin(Struct, frozen=True):
    """Join the race. All `race.` messages are answered by a `race.snapshot`."""


class RaceLeave(Struct, frozen=True):
    """Leave the race before its start. In the countdown of a rated race this counts as
    abandoning it.
    """


class RaceRemove(Struct, frozen=True):
    """Remove the entrant of that seat before the start. Only the host may. They cannot
    join again.
    """

    seat: Annotated[int, Meta(ge=1, le=1000)]


class RaceReady(Struct, frozen=True):
    """Get ready. The countdown begins when all entrants are ready."""


class RaceUnready(Struct, frozen=True):
    """Withdraw `race.ready`."""


class RaceStart(Struct, frozen=True):
    """Begin the countdown. Only the host may."""


class RaceForfeit(Struct, frozen=True):
    """Give up. `race.unforfeit` takes it back within five seconds."""


class RaceUnforfeit(Struct, frozen=True):
    """Take a forfeit back within five seconds."""


class RaceClose(Struct, frozen=True):
    """End a score race once your own run has ended and everybody who still races has
    been away for a minute. They keep their score so far.
    """


class RaceRematch(Struct, frozen=True):
    """Make a race of the same players on a new dungeon. Answer: `race.rematched`."""


class MovePlay(Struct, frozen=True):
    """Play a move of your run, whose current index is `index`. The frame's `id` is the
    idempotency key: the same frame sent again gets the first answer.
    """

    index: Annotated[int, Meta(ge=0, le=999)]
    move: Annotated[str, Meta(min_length=1, max_length=16, pattern=PLAIN)]


class ChatSay(Struct, frozen=True):
    """Write a chat message. Entrants of a running race may use fixed phrases only."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=PLAIN)]


class Resync(Struct, frozen=True):
    """Ask for a snapshot, because an event is missing."""


class Ping(Struct, frozen=True):
    """Measure the round trip. `pong` repeats `t0` and adds the server's time."""

    t0: (
        Annotated[int, Meta(ge=-EXACT, le=EXACT)]
        | Annotated[float, Meta(ge=-EXACT, le=EXACT)]
    )


ClientMessage = (
    Hello
    | RaceJoin
    | RaceLeave
    | RaceRemove
    | RaceReady
    | RaceUnready
    | RaceStart
    | RaceForfeit
    | RaceUnforfeit
    | RaceClose
    | RaceRematch
    | MovePlay
    | ChatSay
    | Resync
    | Ping
)

CLIENT: Final[dict[str, type[ClientMessage]]] = {
    "hello": Hello,
    "race.join": RaceJoin,
    "race.leave": RaceLeave,
    "race.remove": RaceRemove,
    "race.ready": RaceReady,
    "race.unready": RaceUnready,
    "race.start": RaceStart,
    "race.forfeit": RaceForfeit,
    "race.unforfeit": RaceUnforfeit,
    "race.close": RaceClose,
    "race.rematch": RaceRematch,
    "move.play": MovePlay,
    "chat.say": ChatSay,
    "resync": Resync,
    "ping": Ping,
}

# --- What the server sends ------------------------------------------------------


class You(TypedDict):
    """The account of the socket."""

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
    """The socket is open: your account and the limits."""

    server_time: Instant
    limits: Limits
    you: You


class RaceSnapshot(TypedDict):
    """The race as you may see it after event `race.seq`. Replaces all earlier state."""

    race: Race


class RunObservation(TypedDict):
    """Your run, when something else than a move on this socket has changed it: the
    start of the race, a move on another socket, the deadline, a forfeit.
    """

    run: Run


class RaceRematched(TypedDict):
    """The rematch you asked for."""

    race: str


class Error(TypedDict):
    """The message with this `id` was refused. Some codes have further fields."""

    code: str
    detail: str
    retry_after_ms: NotRequired[int]
    run: NotRequired[Run]


class LobbySnapshot(TypedDict):
    """The open and live races. Sent again whenever the list changes."""

    races: list[LobbyRace]


class StandingChanged(TypedDict):
    """A moderation act about your account was taken or undone. See `GET standing/`."""

    rev: int


class Heartbeat(TypedDict):
    """Sent every five seconds with the number of the race's last event."""

    seq: int


class Pong(TypedDict):
    """The answer to `ping`: `t0` as sent, `t1` the server's time in ms since 1970."""

    t0: int | float
    t1: int


class Bye(TypedDict):
    """The server closes the socket. Reconnect after `retry_after_ms`; null: do not."""

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
