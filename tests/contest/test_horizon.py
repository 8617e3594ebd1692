"""The horizon rule as a matrix: viewer x kind x depth x whether all is over."""

from itertools import product
from typing import Any

import pytest

from game.contest.events import HIDDEN, EventKind
from game.contest.horizon import (
    DECK_SIZE,
    ChatRoom,
    Cut,
    Role,
    Sight,
    cut,
    may_read,
    may_write_freely,
    sight_of,
)

PLAY = (EventKind.MOVED, EventKind.ENDED)
LAST = (EventKind.CLOSED, EventKind.SETTLED)
VIEWERS = {
    "the mover": (Role.ENTRANT, 1),
    "another entrant": (Role.ENTRANT, 2),
    "a spectator": (Role.SPECTATOR, None),
}
NEEDS = (4, 7, 20, 44)
HORIZONS = (0, 4, 7, 8, 20, 43, 44)


def expected(viewer: str, kind: str, needs: int, horizon: int, over: bool, told: bool):
    """The law, said once more and in other words."""
    if kind in LAST:
        return Cut.FULL if over else Cut.HIDDEN
    if kind not in PLAY or over or viewer == "the mover" or horizon >= needs:
        return Cut.FULL
    return Cut.MASKED if told else Cut.HIDDEN


MATRIX = list(
    product(VIEWERS, EventKind, NEEDS, HORIZONS, (False, True), (False, True))
)


def test_the_matrix() -> None:
    for viewer, kind, needs, horizon, over, told in MATRIX:
        role, seat = VIEWERS[viewer]
        sight = Sight(role, seat, horizon, over)
        found = cut(kind, 1, needs, {"told": told}, sight)
        assert found is expected(viewer, kind, needs, horizon, over, told), (
            viewer,
            kind,
            needs,
            horizon,
            over,
            told,
        )
    assert len(MATRIX) > 2000


SPECTATOR: Any = Sight(Role.SPECTATOR, None, 44, False)
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
    ("over, perhaps", ("moved", 1, 4), {}, SPECTATOR._replace(revealed=1)),
    (
        "an entrant without a seat",
        ("moved", 1, 4),
        {},
        Sight(Role.ENTRANT, None, 9, False),
    ),
]


@pytest.mark.parametrize(("what", "event", "body", "sight"), BROKEN)
def test_it_fails_closed(what: str, event: Any, body: Any, sight: Any) -> None:
    kind, seat, needs = event
    assert cut(kind, seat, needs, body, sight) is Cut.HIDDEN


def test_told_must_be_true_itself() -> None:
    sight = Sight(Role.SPECTATOR, None, 0, False)
    assert cut("moved", 1, 4, {"told": 1}, sight) is Cut.HIDDEN
    assert cut("moved", 1, 4, {}, sight) is Cut.HIDDEN


def test_nobody_is_seatless_and_own() -> None:
    spectator = Sight(Role.SPECTATOR, None, 0, False)
    assert cut("moved", None, 9, {"told": True}, spectator) is Cut.MASKED


def test_a_spectator_sees_as_far_as_the_slowest_who_plays() -> None:
    shown = {1: 30, 2: 9, 3: 20}
    assert (
        sight_of(seat=None, shown=shown, playing=[1, 2, 3], closed=False).horizon == 9
    )
    assert sight_of(seat=None, shown=shown, playing=[1, 3], closed=False).horizon == 20


def test_an_entrant_sees_as_far_as_he_came_or_a_spectator() -> None:
    shown = {1: 30, 2: 9, 3: 20}
    sight = sight_of(seat=1, shown=shown, playing=[2, 3], closed=False)
    assert (sight.role, sight.horizon) == (Role.ENTRANT, 30)
    sight = sight_of(seat=2, shown=shown, playing=[1, 3], closed=False)
    assert sight.horizon == 20


def test_before_the_deal_and_after_the_last_move_but_before_the_close() -> None:
    for playing, closed in (([], False), ([1], True)):
        sight = sight_of(seat=None, shown={}, playing=playing, closed=closed)
        assert (sight.horizon, sight.revealed) == (0, False)
    ended = sight_of(seat=None, shown={1: 9, 2: 30}, playing=[], closed=False)
    assert (ended.horizon, ended.revealed) == (0, False)


def test_the_close_reveals_everything() -> None:
    sight = sight_of(seat=None, shown={1: 9}, playing=[], closed=True)
    assert (sight.horizon, sight.revealed) == (DECK_SIZE, True)


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("role", Role)
def test_chat_keeps_to_the_horizon(role: Role, running: bool) -> None:
    kept_apart = role is Role.ENTRANT and running
    assert may_read(ChatRoom.ENTRANTS, role, running=running)
    assert may_read(ChatRoom.SPECTATORS, role, running=running) is not kept_apart
    assert may_write_freely(role, running=running) is not kept_apart
    assert not may_read("staff", role, running=running)
