"""The horizon rule: how much of a race's events a viewer may see.

All entrants play the same dungeon, so one entrant's moves tell another about its cards.
Until the last run has ended, viewers see only depth and state of others; they see an
event in full once they have been shown as many deck positions as it needs. Spectators
see as far as the slowest entrant who still plays. Unknown values are hidden: an event
of an unknown kind, an unknown viewer role, a `needs` that is not a number.
docs/races.md explains the rule and its limits.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import Any, Final, NamedTuple

from game.contest.events import EventKind
from game.rules.cards import DECK

DECK_SIZE: Final = len(DECK)


class Disclosure(IntEnum):
    """How much of an event a viewer sees."""

    HIDDEN = 0
    MASKED = 1
    FULL = 2


class ViewerRole(StrEnum):
    """Whether a viewer takes part in the race."""

    ENTRANT = "entrant"
    SPECTATOR = "spectator"


class Viewpoint(NamedTuple):
    """What decides how much a viewer sees: role, own seat, deck positions shown.

    `horizon` counts deck positions, 0 to 44; `is_revealed`: the last run has ended.
    """

    role: ViewerRole
    seat: int | None
    horizon: int
    is_revealed: bool


# Events about the race itself, shown to everybody at any time.
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
        EventKind.OUTAGE,
        EventKind.CLOSED_EARLY,
        # These contain states, places and rating changes, which are public by then.
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
# Events about cards or scores; others see their depth and state.
_PLAY_KINDS: Final = frozenset({EventKind.MOVED, EventKind.ENDED})
_REVEAL_KINDS: Final = frozenset({EventKind.CLOSED, EventKind.SETTLED})

# The fields that remain of a masked event. A move that changes none of them (an avoided
# room) is hidden: that it was avoided is information, too.
MASKED_FIELDS: Final = ("depth", "state", "elapsed_ms", "entrant_kind")


def event_disclosure(
    kind: str, seat: int | None, needs: int, body: Mapping[str, Any], view: Viewpoint
) -> Disclosure:
    """How much of the event the viewer may see now."""
    if not _is_well_formed(seat, needs, view):
        return Disclosure.HIDDEN
    if kind in _PUBLIC_KINDS:
        return Disclosure.FULL
    if kind in _REVEAL_KINDS:
        return Disclosure.FULL if view.is_revealed else Disclosure.HIDDEN
    if kind not in _PLAY_KINDS:
        return Disclosure.HIDDEN
    own = view.role is ViewerRole.ENTRANT and seat is not None and seat == view.seat
    if view.is_revealed or own or 0 < needs <= view.horizon:
        return Disclosure.FULL
    return Disclosure.MASKED if body.get("told", False) is True else Disclosure.HIDDEN


def _is_well_formed(seat: Any, needs: Any, view: Any) -> bool:
    """Whether all values have the expected types and ranges."""
    return (
        isinstance(view.role, ViewerRole)
        and type(view.horizon) is int
        and 0 <= view.horizon <= DECK_SIZE
        and type(view.is_revealed) is bool
        and (view.role is ViewerRole.SPECTATOR or type(view.seat) is int)
        and type(needs) is int
        and 0 <= needs <= DECK_SIZE
        and (seat is None or type(seat) is int)
    )


def viewpoint(
    *,
    seat: int | None,
    shown: Mapping[int, int],
    playing: Iterable[int],
    is_closed: bool,
) -> Viewpoint:
    """The viewpoint of a viewer; `seat` is their own, None for a spectator.

    `shown` is how many deck positions each dealt seat has been shown, `playing` the
    seats whose runs are not over. Before the start the horizon is 0. Entrants see as
    far as they have been shown, and at least as far as spectators.
    """
    ahead = [shown.get(other, 0) for other in playing]
    slowest = min(ahead, default=DECK_SIZE if is_closed else 0)
    own = shown.get(seat, 0) if seat is not None else 0
    role = ViewerRole.SPECTATOR if seat is None else ViewerRole.ENTRANT
    return Viewpoint(role, seat, max(own, slowest), is_closed and not ahead)


class ChatRoom(StrEnum):
    """A chat room. While a race runs, entrants do not see the spectators' room."""

    ENTRANTS = "entrants"
    SPECTATORS = "spectators"


def can_read_room(room: str, role: ViewerRole, *, running: bool) -> bool:
    """Whether a viewer of that role can read the chat room."""
    if not running:
        return room in set(ChatRoom)
    if role is ViewerRole.SPECTATOR:
        return room in set(ChatRoom)
    return room == ChatRoom.ENTRANTS


def can_write_free_text(role: ViewerRole, *, running: bool) -> bool:
    """Whether a viewer of that role can write free text, not only fixed phrases."""
    return role is ViewerRole.SPECTATOR or not running
