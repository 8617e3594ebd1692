"""Penalties for abandonments, as a table."""

from datetime import UTC, datetime, timedelta

import pytest

from game.contest.leaver_penalty import (
    FLAG_AT_COUNT,
    PENALTY_BY_GRADE,
    is_abandonment,
    leaver_penalty,
    should_flag,
)

START = datetime(2026, 11, 2, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("after", "grade", "wait"),
    [
        ([0 * HOUR], 1, 10 * MINUTE),
        ([0 * HOUR, 1 * HOUR], 2, 30 * MINUTE),
        ([0 * HOUR, 1 * HOUR, 2 * HOUR], 3, 2 * HOUR),
        ([0 * HOUR, 1 * HOUR, 2 * HOUR, 5 * HOUR], 4, 8 * HOUR),
        ([0 * HOUR, 1 * HOUR, 2 * HOUR, 5 * HOUR, 14 * HOUR], 5, 1 * DAY),
        ([0 * HOUR, 1 * HOUR, 2 * HOUR, 5 * HOUR, 14 * HOUR, 37 * HOUR], 6, 3 * DAY),
        # There is no seventh grade, and the sixth decays like the others.
        ([n * HOUR for n in range(9)], 6, 3 * DAY),
        ([*(n * HOUR for n in range(9)), 8 * HOUR + 3 * DAY], 4, 8 * HOUR),
        # Each day without one lowers the grade by one, at least to zero.
        ([0 * DAY, 1 * DAY], 1, 10 * MINUTE),
        ([0 * DAY, 1 * DAY - 1 * MINUTE], 2, 30 * MINUTE),
        ([0 * HOUR, 1 * HOUR, 2 * HOUR, 2 * HOUR + 2 * DAY], 2, 30 * MINUTE),
        ([0 * HOUR, 1 * HOUR, 9 * DAY], 1, 10 * MINUTE),
        # The order does not matter.
        ([2 * HOUR, 0 * HOUR, 1 * HOUR], 3, 2 * HOUR),
    ],
)
def test_penalty_length_by_grade(
    after: list[timedelta], grade: int, wait: timedelta
) -> None:
    found = leaver_penalty(START + one for one in after)
    assert found is not None
    assert (found.grade, found.until) == (grade, START + max(after) + wait)


def test_no_abandonment_has_no_penalty() -> None:
    assert leaver_penalty([]) is None
    assert (PENALTY_BY_GRADE[0], PENALTY_BY_GRADE[-1]) == (10 * MINUTE, 3 * DAY)
    assert list(PENALTY_BY_GRADE) == sorted(PENALTY_BY_GRADE)


@pytest.mark.parametrize(
    ("state", "idle", "others", "left"),
    [
        ("forfeited", 0 * MINUTE, True, True),
        ("forfeited", 9 * MINUTE, False, False),
        ("no_show", 5 * MINUTE, True, True),
        ("no_show", 5 * MINUTE, False, True),
        ("timed_out", 2 * MINUTE, True, True),
        ("timed_out", 2 * MINUTE, False, True),
        ("timed_out", 1 * MINUTE, True, False),
        ("cleared", 9 * MINUTE, True, False),
        ("died", 9 * MINUTE, True, False),
    ],
)
def test_endings_that_are_abandonments(
    state: str, idle: timedelta, others: bool, left: bool
) -> None:
    assert is_abandonment(state, idle=idle, are_others_playing=others) is left


def test_many_abandonments_are_flagged() -> None:
    lately = [START - n * HOUR for n in range(FLAG_AT_COUNT)]
    assert should_flag(lately, START)
    assert not should_flag(lately[1:], START)
    assert not should_flag(lately, START + 21 * HOUR)
