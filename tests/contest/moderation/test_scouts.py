"""Whether an opponent had been shown the cards before the winner."""

import pytest

from game.contest.moderation.scouts import (
    AHEAD_BY,
    MIN_MOVES,
    ROOM,
    ShownMove,
    is_scouted,
)


def line(seat: int, *shown: int) -> list[ShownMove]:
    return [ShownMove(seat, count) for count in shown]


def careful(moves: int = MIN_MOVES) -> list[ShownMove]:
    """The winner's moves, which show one more card each."""
    return line(1, *range(ROOM + 1, ROOM + 1 + moves))


def test_scout_who_hurries_through_first() -> None:
    assert is_scouted(1, [*line(2, 10, 20, 44), *careful(25)])
    assert not is_scouted(2, [*line(2, 10, 20, 44), *careful(25)])


def test_any_opponent_may_be_the_scout() -> None:
    assert is_scouted(1, [*line(3, 5), *line(2, 44), *careful()])


def test_even_races_are_not_scouted() -> None:
    moves = [
        one
        for pair in zip(careful(25), line(2, *range(5, 30)), strict=True)
        for one in pair
    ]
    assert not is_scouted(1, moves)
    assert not is_scouted(2, moves)
    assert not is_scouted(1, careful(25))
    assert not is_scouted(1, [])


@pytest.mark.parametrize(
    ("shown", "scouted"), [(AHEAD_BY, True), (AHEAD_BY - 1, False)]
)
def test_two_rooms_ahead(shown: int, scouted: bool) -> None:
    standing = line(1, *[ROOM] * MIN_MOVES)
    assert is_scouted(1, [*line(2, ROOM + shown), *standing]) is scouted


@pytest.mark.parametrize(("ahead", "scouted"), [(7, True), (6, False)])
def test_at_most_of_the_moves(ahead: int, scouted: bool) -> None:
    before, after = line(1, *[ROOM] * (10 - ahead)), line(1, *[ROOM] * ahead)
    assert is_scouted(1, [*before, *line(2, 44), *after]) is scouted


def test_short_runs_do_not_count() -> None:
    assert not is_scouted(1, [*line(2, 44), *careful(MIN_MOVES - 1)])


def test_what_was_shown_once_stays_known() -> None:
    assert is_scouted(1, [*line(2, 44, 4), *careful()])
