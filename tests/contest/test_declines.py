"""What declining offered matches costs."""

from datetime import UTC, datetime, timedelta

import pytest

from game.contest.declines import APART_FOR_MATCHES, is_apart, paused_until

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("declines", "minutes"),
    [(0, None), (1, None), (2, 1), (3, 5), (4, 15), (5, 60), (9, 60)],
)
def test_pause_grows_with_each_declined_offer(
    declines: int, minutes: int | None
) -> None:
    times = [NOON - MINUTE * 10 * n for n in range(declines)]
    until = NOON + MINUTE * minutes if minutes else None
    assert paused_until(times, NOON) == until
    if until:
        assert paused_until(times, until - MINUTE / 60) == until
        assert paused_until(times, until) is None


def test_declined_offers_count_for_a_day() -> None:
    times = [NOON, NOON - timedelta(hours=23)]
    assert paused_until(times, NOON) == NOON + MINUTE
    times = [NOON, NOON - timedelta(days=1)]
    assert paused_until(times, NOON) is None


def test_opponents_are_apart_for_three_matches_or_an_hour() -> None:
    later = NOON + timedelta(minutes=30)
    before, after = NOON - MINUTE, NOON + MINUTE
    assert is_apart(NOON, [], later)
    assert is_apart(NOON, [before] * 9 + [after] * (APART_FOR_MATCHES - 1), later)
    assert not is_apart(NOON, [after] * APART_FOR_MATCHES, later)
    assert is_apart(NOON, [NOON] * 9, later)
    assert is_apart(NOON, [], NOON + timedelta(minutes=59))
    assert not is_apart(NOON, [], NOON + timedelta(hours=1))
