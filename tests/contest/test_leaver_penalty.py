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
M, H = timedelta(minutes=1), timedelta(hours=1)
D = timedelta(days=1)


@pytest.mark.parametrize(
    ("after", "grade", "wait"),
    [
        ([0 * H], 1, 10 * M),
        ([0 * H, 1 * H], 2, 30 * M),
        ([0 * H, 1 * H, 2 * H], 3, 2 * H),
        ([0 * H, 1 * H, 2 * H, 5 * H], 4, 8 * H),
        ([0 * H, 1 * H, 2 * H, 5 * H, 14 * H], 5, 1 * D),
        ([0 * H, 1 * H, 2 * H, 5 * H, 14 * H, 37 * H], 6, 3 * D),
        # There is no seventh grade, and the sixth decays like the others.
        ([n * H for n in range(9)], 6, 3 * D),
        ([*(n * H for n in range(9)), 8 * H + 3 * D], 4, 8 * H),
        # Each day without one lowers the grade by one, at least to zero.
        ([0 * D, 1 * D], 1, 10 * M),
        ([0 * D, 1 * D - 1 * M], 2, 30 * M),
        ([0 * H, 1 * H, 2 * H, 2 * H + 2 * D], 2, 30 * M),
        ([0 * H, 1 * H, 9 * D], 1, 10 * M),
        # The order does not matter.
        ([2 * H, 0 * H, 1 * H], 3, 2 * H),
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
    assert (PENALTY_BY_GRADE[0], PENALTY_BY_GRADE[-1]) == (10 * M, 3 * D)
    assert list(PENALTY_BY_GRADE) == sorted(PENALTY_BY_GRADE)


@pytest.mark.parametrize(
    ("state", "idle", "others", "left"),
    [
        ("forfeited", 0 * M, True, True),
        ("forfeited", 9 * M, False, False),
        ("no_show", 5 * M, True, True),
        ("no_show", 5 * M, False, True),
        ("timed_out", 2 * M, True, True),
        ("timed_out", 2 * M, False, True),
        ("timed_out", 1 * M, True, False),
        ("cleared", 9 * M, True, False),
        ("died", 9 * M, True, False),
    ],
)
def test_endings_that_are_abandonments(
    state: str, idle: timedelta, others: bool, left: bool
) -> None:
    assert is_abandonment(state, idle=idle, others_playing=others) is left


def test_many_abandonments_are_flagged() -> None:
    lately = [START - n * H for n in range(FLAG_AT_COUNT)]
    assert should_flag(lately, START)
    assert not should_flag(lately[1:], START)
    assert not should_flag(lately, START + 21 * H)
