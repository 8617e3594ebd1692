"""Streaks: days in a row, one freeze each 30 days, in any order."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.streaks import (
    Streak,
    build_streak,
    current_length,
    extend_streak,
    freeze_ready_on,
)

START = date(2028, 2, 20)  # over a 29 February


def days(*numbers: int) -> list[date]:
    return [START + timedelta(days=n) for n in numbers]


def on(number: int) -> date:
    return START + timedelta(days=number)


@pytest.mark.parametrize(
    ("played", "current", "longest"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        (range(12), 12, 12),
        ([0, 1, 3], 3, 3),  # one day missed: the freeze
        ([0, 1, 4], 1, 2),  # two days missed in a row
        ([0, 2, 4], 1, 2),  # two freezes within 30 days
        ([*range(30), 31], 31, 31),
        ([0, *range(2, 32), 33], 32, 32),  # the next freeze 31 days after
        ([0, *range(2, 31), 32], 31, 31),  # and 30 days after: from 1 to 31
        ([0, *range(2, 30), 31], 1, 29),  # 29 days after: not yet
        ([0, 1, 2, 9, 10], 2, 3),
    ],
)
def test_streaks(played: list[int], current: int, longest: int) -> None:
    streak = build_streak(days(*played))
    assert (streak.current, streak.longest) == (current, longest)


def test_streak_lasts_as_long_as_it_can_be_continued() -> None:
    fresh = build_streak(days(0, 1, 2))
    assert [current_length(fresh, on(n)) for n in (2, 3, 4, 5)] == [3, 3, 3, 0]
    frozen = build_streak(days(0, 2))
    assert frozen.frozen_on == on(1)
    assert [current_length(frozen, on(n)) for n in (2, 3, 4)] == [2, 2, 0]
    assert freeze_ready_on(frozen) == on(31)
    assert freeze_ready_on(fresh) is None
    assert current_length(Streak(), on(0)) == 0


@pytest.mark.parametrize(
    ("played", "bridged", "current", "lasts"),
    [
        ([0, 1, 4], [2, 3], 3, 5),
        ([0, 1, 4], [2], 3, 4),  # the freeze for the other day
        ([0, 2, 5], [3], 1, 6),  # one of two missed days, the freeze is used
        ([0, 1], [2, 3, 4], 2, 6),
        ([0, 1], [1], 2, 3),  # a bridged day that was played counts
    ],
)
def test_bridged_days_break_no_streak(
    played: list[int], bridged: list[int], current: int, lasts: int
) -> None:
    streak = build_streak(days(*played), set(days(*bridged)))
    assert streak.current == current
    held = [current_length(streak, on(n), set(days(*bridged))) for n in (lasts, 99)]
    assert held == [current, 0]


def test_streak_refuses_earlier_days() -> None:
    streak = build_streak(days(0, 1))
    assert extend_streak(streak, on(1)) == streak
    with pytest.raises(
        ValueError, match=r"^A streak is extended in the order of days\.$"
    ):
        extend_streak(streak, on(0))


@given(st.sets(st.integers(0, 200), max_size=60), st.randoms(use_true_random=False))
def test_order_and_repeats_do_not_matter(numbers: set[int], chance) -> None:
    told = [*days(*numbers), *days(*numbers)]
    chance.shuffle(told)
    whole = build_streak(told)
    assert whole == build_streak(days(*sorted(numbers)))
    assert 0 <= whole.current <= whole.longest <= len(numbers)


def test_first_day_keeps_the_longest_streak_and_the_freeze() -> None:
    before = Streak(None, 0, 4, on(1))
    assert extend_streak(before, on(3)) == Streak(on(3), 1, 4, on(1))
