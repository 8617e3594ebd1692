"""Who may see how much of what happens: the horizon rule, in one function.

All entrants play the same dungeon, so news of one is a hint to another. Until the last
run has ended a viewer sees of others only depth and state; the rest of an event only
once he has himself been shown as many positions of the deck as the event needs.
Spectators see as far as the slowest who still plays. Whatever this module does not know
it hides: an event of an unknown kind, a viewer of an unknown role, a need that is no
number. Source: protocol.md, law 6.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import Any, Final, NamedTuple

from game.contest.events import EventKind
from game.rules.cards import DECK

DECK_SIZE: Final = len(DECK)


class Disclosure(IntEnum):
    """How much of an event is shown."""

    HIDDEN = 0
    MASKED = 1
    FULL = 2


class ViewerRole(StrEnum):
    """In which part somebody watches."""

    ENTRANT = "entrant"
    SPECTATOR = "spectator"


class Viewpoint(NamedTuple):
    """What decides a viewer's cut: his part, his seat, how far he may see.

    `horizon` counts deck positions, 0 to 44; `revealed`: the last run has ended.
    """

    role: ViewerRole
    seat: int | None
    horizon: int
    revealed: bool


# Facts of the race itself, the same for everybody, at any time.
_PUBLIC_KINDS: Final = frozenset(
    {
        EventKind.MADE,
        EventKind.JOINED,
        EventKind.LEFT,
        EventKind.READIED,
        EventKind.UNREADIED,
        EventKind.COUNTDOWN_BEGUN,
        EventKind.CANCELLED,
        EventKind.STARTED,
        EventKind.FORFEITING,
        EventKind.FORFEIT_TAKEN_BACK,
        EventKind.REMATCHED,
        EventKind.APPEARED,
        EventKind.VANISHED,
        # They name states, places and rating changes, which are told by then.
        EventKind.HELD,
        EventKind.RELEASED,
        EventKind.VOIDED,
        EventKind.RESTORED,
        EventKind.DISQUALIFIED,
        EventKind.REQUALIFIED,
        EventKind.CORRECTED,
        EventKind.UNSAID,
    }
)
# Those that tell of cards or scores, and of which others may know depth and state.
_PLAY_KINDS: Final = frozenset({EventKind.MOVED, EventKind.ENDED})
_REVEAL_KINDS: Final = frozenset({EventKind.CLOSED, EventKind.SETTLED})

# What is left of an event of play when it is masked. A move that changes neither (an
# avoided room) is hidden altogether: that he avoided is news, too.
MASKED_FIELDS: Final = ("depth", "state", "elapsed_ms")


def event_disclosure(
    kind: str, seat: int | None, needs: int, body: Mapping[str, Any], sight: Viewpoint
) -> Disclosure:
    """How much of that event the viewer may see now."""
    if not _is_well_formed(seat, needs, sight):
        return Disclosure.HIDDEN
    if kind in _PUBLIC_KINDS:
        return Disclosure.FULL
    if kind in _REVEAL_KINDS:
        return Disclosure.FULL if sight.revealed else Disclosure.HIDDEN
    if kind not in _PLAY_KINDS:
        return Disclosure.HIDDEN
    own = sight.role is ViewerRole.ENTRANT and seat is not None and seat == sight.seat
    if sight.revealed or own or 0 < needs <= sight.horizon:
        return Disclosure.FULL
    return Disclosure.MASKED if body.get("told", False) is True else Disclosure.HIDDEN


def _is_well_formed(seat: Any, needs: Any, sight: Any) -> bool:
    """Whether everything that decides is what it should be; else nothing is shown."""
    return (
        isinstance(sight.role, ViewerRole)
        and type(sight.horizon) is int
        and 0 <= sight.horizon <= DECK_SIZE
        and type(sight.revealed) is bool
        and (sight.role is ViewerRole.SPECTATOR or type(sight.seat) is int)
        and type(needs) is int
        and 0 <= needs <= DECK_SIZE
        and (seat is None or type(seat) is int)
    )


def viewpoint(
    *, seat: int | None, shown: Mapping[int, int], playing: Iterable[int], closed: bool
) -> Viewpoint:
    """A viewer's sight: `seat` is his own, None for a spectator.

    `shown` is how many deck positions each dealt seat has been shown, `playing` the
    seats whose runs are not over. Before anything is dealt the horizon is 0. An entrant
    whose run is over sees as far as a spectator, or as he came himself.
    """
    ahead = [shown.get(one, 0) for one in playing]
    slowest = min(ahead, default=DECK_SIZE if closed else 0)
    own = shown.get(seat, 0) if seat is not None else 0
    role = ViewerRole.SPECTATOR if seat is None else ViewerRole.ENTRANT
    return Viewpoint(role, seat, max(own, slowest), closed and not ahead)


class ChatRoom(StrEnum):
    """Who is spoken to. While a race runs, entrants and spectators are apart."""

    ENTRANTS = "entrants"
    SPECTATORS = "spectators"


def can_read_room(room: str, role: ViewerRole, *, running: bool) -> bool:
    """Whether that chat room is open to a viewer."""
    if not running:
        return room in set(ChatRoom)
    if role is ViewerRole.SPECTATOR:
        return room in set(ChatRoom)
    return room == ChatRoom.ENTRANTS


def can_write_free_text(role: ViewerRole, *, running: bool) -> bool:
    """Whether free text is allowed, beyond the fixed phrases."""
    return role is ViewerRole.SPECTATOR or not running
