"""Standings, ranks, percentiles and points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.ranking import (
    BOARDS,
    DailyStanding,
    SortKey,
    assign_ranks,
    carry_over,
    daily_awards,
    daily_fields,
    daily_points,
    number_key,
    percentile,
    score_from_order,
    score_key,
    time_key,
)

RUNS = st.tuples(st.integers(-208, 30), st.booleans(), st.integers(0, 90_000_000))


@given(RUNS, RUNS)
def test_order_is_score_then_cleared_then_time(one, two) -> None:
    (s1, c1, t1), (s2, c2, t2) = one, two
    first, second = score_key(s1, t1, is_cleared=c1), score_key(s2, t2, is_cleared=c2)
    assert (first < second) == ((-s1, not c1, t1) < (-s2, not c2, t2))
    assert score_from_order(first.order) == s1


@given(st.lists(RUNS, max_size=40))
def test_ranks_are_a_total_order_with_ties_declared(runs) -> None:
    standings = sorted(score_key(s, t % 5, is_cleared=c) for s, c, t in runs)
    found = assign_ranks(standings)
    assert found == [1 + sum(b < a for b in standings) for a in standings]


def test_ranks_need_sorted_results() -> None:
    assert assign_ranks(
        [SortKey(1, 0), SortKey(2, 0), SortKey(2, 0), SortKey(3, 0)]
    ) == [*(1, 2, 2, 4)]
    with pytest.raises(ValueError, match=r"^The keys are not in ascending order\.$"):
        assign_ranks([SortKey(2, 0), SortKey(1, 0)])


def test_times_are_compared_in_whole_seconds() -> None:
    assert time_key(61_999) == SortKey(61, 61_999)
    assert time_key(61_999) < time_key(62_000)
    assert number_key(30) < number_key(29)


def test_percentiles() -> None:
    assert [percentile(rank, 4) for rank in (1, 2, 4)] == [100.0, 66.6, 0.0]
    assert percentile(1, 1) == 100.0


def test_points_grow_with_the_number_of_players() -> None:
    assert daily_points(0, 1) == 10
    assert [daily_points(behind, 2) for behind in (1, 0)] == [20, 10]
    assert [daily_points(behind, 10) for behind in (9, 5, 0)] == [100, 60, 10]
    assert daily_points(99_999, 100_000) == 100
    assert carry_over(999) == 99


@pytest.mark.parametrize(
    ("entries", "points"),
    [
        ([(1, True), (2, True), (3, True)], [30, 20, 10]),
        ([(1, True), (1, True), (3, True)], [20, 20, 10]),  # equals are not behind
        ([(1, True)] * 8, [10] * 8),
        # Attempts without a faced card get nothing and are nobody's opponents.
        ([(1, True), (2, True), (3, False)], [20, 10, 0]),
        ([(1, False)] * 8, [0] * 8),
        ([(1, False), (2, True)], [0, 10]),
        ([], []),
    ],
)
def test_points_of_a_daily(entries: list[tuple[int, bool]], points: list[int]) -> None:
    assert daily_awards(standings_of(entries)) == points


def standings_of(entries: list[tuple[int, bool]]) -> list[DailyStanding]:
    """Entries of accounts "a", "b" and so on."""
    return [
        DailyStanding(SortKey(order, 0), played, account)
        for account, (order, played) in zip("abcdefghij", entries, strict=False)
    ]


@pytest.mark.parametrize(
    ("groups", "points"),
    [
        ([], [40, 30, 20, 10]),
        # A household of two: as if the other had not played.
        (["ab"], [30, 30, 20, 10]),
        (["ad"], [30, 30, 20, 10]),
        # Groups are not joined: b is linked to both, a and d are not linked.
        (["ab", "bd"], [30, 20, 20, 10]),
        # The same pair twice, such as by browser and address.
        (["ab", "ab"], [30, 30, 20, 10]),
        (["abcd"], [10, 10, 10, 10]),
        # Accounts that are not on the board, such as void runs.
        (["axy"], [40, 30, 20, 10]),
    ],
)
def test_linked_players_give_each_other_no_points(
    groups: list[str], points: list[int]
) -> None:
    standings = standings_of([(order, True) for order in range(4)])
    assert daily_awards(standings, groups) == points


def test_linked_players_who_have_not_played_change_nothing() -> None:
    standings = standings_of([(1, True), (2, False), (3, True)])
    assert daily_awards(standings, ["ab"]) == [20, 0, 10]
    assert daily_fields(standings, ["ab"])[0] == (1, 2)


def test_list_of_boards() -> None:
    assert list(BOARDS) == [
        *("daily", "week", "season", "best", "fastest", "streak", "rating")
    ]


def test_keys() -> None:
    assert score_key(7, 1234, is_cleared=True) == SortKey(-15, 1234)
    assert score_key(7, 1234, is_cleared=False) == SortKey(-14, 1234)
    assert time_key(1_000_000) == SortKey(1000, 1_000_000)
    assert number_key(30) == SortKey(-30, 0)
