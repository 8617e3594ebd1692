"""Disclosure of events as a matrix: viewer, kind, depth, and whether it is closed."""

from itertools import product
from typing import Any

import pytest

from game.contest.events import HIDDEN, EventKind
from game.contest.horizon import (
    DECK_SIZE,
    ChatRoom,
    Disclosure,
    ViewerRole,
    Viewpoint,
    can_read_room,
    can_write_free_text,
    event_disclosure,
    viewpoint,
)

PLAY = (EventKind.MOVED, EventKind.ENDED)
LAST = (EventKind.CLOSED, EventKind.SETTLED)
VIEWERS = {
    "the mover": (ViewerRole.ENTRANT, 1),
    "another entrant": (ViewerRole.ENTRANT, 2),
    "a spectator": (ViewerRole.SPECTATOR, None),
}
NEEDS = (4, 7, 20, 44)
HORIZONS = (0, 4, 7, 8, 20, 43, 44)


def expected(viewer: str, kind: str, needs: int, horizon: int, over: bool, told: bool):
    """An independent implementation of the rule."""
    if kind in LAST:
        return Disclosure.FULL if over else Disclosure.HIDDEN
    if kind not in PLAY or over or viewer == "the mover" or horizon >= needs:
        return Disclosure.FULL
    return Disclosure.MASKED if told else Disclosure.HIDDEN


MATRIX = list(
    product(VIEWERS, EventKind, NEEDS, HORIZONS, (False, True), (False, True))
)


def test_disclosure_matrix() -> None:
    for viewer, kind, needs, horizon, over, told in MATRIX:
        role, seat = VIEWERS[viewer]
        view = Viewpoint(role, seat, horizon, over)
        found = event_disclosure(kind, 1, needs, {"told": told}, view)
        assert found is expected(viewer, kind, needs, horizon, over, told), (
            viewer,
            kind,
            needs,
            horizon,
            over,
            told,
        )
    assert len(MATRIX) > 2000


SPECTATOR: Any = Viewpoint(ViewerRole.SPECTATOR, None, 44, False)
BROKEN: list[tuple[str, Any, Any, Any]] = [
    ("an unknown kind", ("peeked", 1, 4), {}, SPECTATOR),
    ("hidden itself", (HIDDEN, 1, 4), {}, SPECTATOR),
    ("a play that needs nothing", ("moved", 1, 0), {}, SPECTATOR),
    ("needs below nothing", ("moved", 1, -1), {}, SPECTATOR),
    ("needs beyond the deck", ("moved", 1, 45), {}, SPECTATOR),
    ("needs that are no number", ("moved", 1, "4"), {}, SPECTATOR),
    ("needs that are true", ("moved", 1, True), {}, SPECTATOR),
    ("no needs", ("moved", 1, None), {}, SPECTATOR),
    ("a seat that is text", ("moved", "1", 4), {}, SPECTATOR),
    ("a role by name alone", ("moved", 1, 4), {}, SPECTATOR._replace(role="staff")),
    ("no role", ("joined", 1, 0), {}, SPECTATOR._replace(role=None)),
    ("a horizon past the deck", ("moved", 1, 4), {}, SPECTATOR._replace(horizon=99)),
    ("a horizon that is text", ("moved", 1, 4), {}, SPECTATOR._replace(horizon="9")),
    ("over, perhaps", ("moved", 1, 4), {}, SPECTATOR._replace(is_revealed=1)),
    (
        "an entrant without a seat",
        ("moved", 1, 4),
        {},
        Viewpoint(ViewerRole.ENTRANT, None, 9, False),
    ),
]


@pytest.mark.parametrize(("what", "event", "body", "view"), BROKEN)
def test_malformed_input_discloses_nothing(
    what: str, event: Any, body: Any, view: Any
) -> None:
    kind, seat, needs = event
    assert event_disclosure(kind, seat, needs, body, view) is Disclosure.HIDDEN


def test_told_must_be_the_value_true() -> None:
    view = Viewpoint(ViewerRole.SPECTATOR, None, 0, False)
    assert event_disclosure("moved", 1, 4, {"told": 1}, view) is Disclosure.HIDDEN
    assert event_disclosure("moved", 1, 4, {}, view) is Disclosure.HIDDEN


def test_event_without_seat_is_not_the_spectators_own() -> None:
    spectator = Viewpoint(ViewerRole.SPECTATOR, None, 0, False)
    assert (
        event_disclosure("moved", None, 9, {"told": True}, spectator)
        is Disclosure.MASKED
    )


def test_spectator_sees_what_the_slowest_player_has_seen() -> None:
    shown = {1: 30, 2: 9, 3: 20}
    assert (
        viewpoint(seat=None, shown=shown, playing=[1, 2, 3], is_closed=False).horizon
        == 9
    )
    assert (
        viewpoint(seat=None, shown=shown, playing=[1, 3], is_closed=False).horizon == 20
    )


def test_entrant_horizon_is_the_larger_of_own_and_spectators() -> None:
    shown = {1: 30, 2: 9, 3: 20}
    view = viewpoint(seat=1, shown=shown, playing=[2, 3], is_closed=False)
    assert (view.role, view.horizon) == (ViewerRole.ENTRANT, 30)
    view = viewpoint(seat=2, shown=shown, playing=[1, 3], is_closed=False)
    assert view.horizon == 20


def test_horizon_before_the_deal_and_before_the_close() -> None:
    for playing, closed in (([], False), ([1], True)):
        view = viewpoint(seat=None, shown={}, playing=playing, is_closed=closed)
        assert (view.horizon, view.is_revealed) == (0, False)
    ended = viewpoint(seat=None, shown={1: 9, 2: 30}, playing=[], is_closed=False)
    assert (ended.horizon, ended.is_revealed) == (0, False)


def test_close_reveals_everything() -> None:
    view = viewpoint(seat=None, shown={1: 9}, playing=[], is_closed=True)
    assert (view.horizon, view.is_revealed) == (DECK_SIZE, True)


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("role", ViewerRole)
def test_chat_rooms_by_role_and_phase(role: ViewerRole, running: bool) -> None:
    kept_apart = role is ViewerRole.ENTRANT and running
    assert can_read_room(ChatRoom.ENTRANTS, role, running=running)
    assert can_read_room(ChatRoom.SPECTATORS, role, running=running) is not kept_apart
    assert can_write_free_text(role, running=running) is not kept_apart
    assert not can_read_room("staff", role, running=running)
