"""Standings, ranks, percentiles and points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.ranking import (
    BOARDS,
    Standing,
    by_number,
    by_score,
    by_time,
    carried,
    daily_points,
    percentile,
    race_points,
    ranks,
    score_of,
)

RUNS = st.tuples(st.integers(-208, 30), st.booleans(), st.integers(0, 90_000_000))


@given(RUNS, RUNS)
def test_score_then_cleared_then_time(one, two) -> None:
    (s1, c1, t1), (s2, c2, t2) = one, two
    first, second = by_score(s1, t1, cleared=c1), by_score(s2, t2, cleared=c2)
    assert (first < second) == ((-s1, not c1, t1) < (-s2, not c2, t2))
    assert score_of(first.order) == s1


@given(st.lists(RUNS, max_size=40))
def test_ranks_are_a_total_order_with_ties_declared(runs) -> None:
    standings = sorted(by_score(s, t % 5, cleared=c) for s, c, t in runs)
    found = ranks(standings)
    assert found == [1 + sum(b < a for b in standings) for a in standings]


def test_ranks_want_their_order() -> None:
    assert ranks([Standing(1, 0), Standing(2, 0), Standing(2, 0), Standing(3, 0)]) == [
        *(1, 2, 2, 4)
    ]
    with pytest.raises(ValueError, match="ascending"):
        ranks([Standing(2, 0), Standing(1, 0)])


def test_time_goes_by_whole_seconds_first() -> None:
    assert by_time(61_999) == Standing(61, 61_999)
    assert by_time(61_999) < by_time(62_000)
    assert by_number(30) < by_number(29)


def test_percentiles() -> None:
    assert [percentile(rank, 4) for rank in (1, 2, 4)] == [100.0, 66.6, 0.0]
    assert percentile(1, 1) == 100.0


def test_points_grow_with_the_field() -> None:
    assert daily_points(1, 1) == 10
    assert [daily_points(rank, 2) for rank in (1, 2)] == [20, 10]
    assert [daily_points(rank, 10) for rank in (1, 5, 10)] == [100, 60, 10]
    assert daily_points(1, 100_000) == 100
    assert [race_points(place, 4) for place in (1, 2, 4)] == [15, 10, 0]
    assert carried(999) == 99


def test_a_board_is_a_row() -> None:
    assert list(BOARDS) == [
        *("daily", "week", "season", "best", "fastest", "streak", "rating")
    ]
