"""Streaks: consecutive days with a ranked daily, with one freeze every 30 days.

A freeze bridges a single missed day if none was used in the 30 days before it; the
bridged day is not counted. Two missed days in a row end the streak and use no freeze.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

FREEZE_INTERVAL: Final = timedelta(days=30)
_DAY: Final = timedelta(days=1)


class Streak(NamedTuple):
    """A streak after its last played day.

    `current` counts the played days up to `last_on`; `current_length` says whether the
    streak still holds on a given day. `frozen_on` is the last bridged day.
    """

    last_on: date | None = None
    current: int = 0
    longest: int = 0
    frozen_on: date | None = None


NO_STREAK: Final = Streak()


def extend_streak(streak: Streak, on: date) -> Streak:
    """The streak after another played day; the same day again changes nothing.

    Raises ValueError for a day before the last one; use `build_streak` for those.
    """
    last = streak.last_on
    if last is None:
        return Streak(on, 1, max(1, streak.longest), streak.frozen_on)
    if on < last:
        raise ValueError("A streak is extended in the order of days.")
    if on == last:
        return streak
    missed, frozen = (on - last).days - 1, streak.frozen_on
    if missed == 0:
        current = streak.current + 1
    elif missed == 1 and _has_freeze(frozen, last + _DAY):
        current, frozen = streak.current + 1, last + _DAY
    else:
        current = 1
    return Streak(on, current, max(streak.longest, current), frozen)


def build_streak(days: Iterable[date]) -> Streak:
    """The streak of these played days, in any order."""
    streak = NO_STREAK
    for on in sorted(set(days)):
        streak = extend_streak(streak, on)
    return streak


def current_length(streak: Streak, today: date) -> int:
    """The streak's length on that day; 0 once playing today could not continue it."""
    if streak.last_on is None:
        return 0
    missed = (today - streak.last_on).days - 1
    if missed <= 0 or (
        missed == 1 and _has_freeze(streak.frozen_on, streak.last_on + _DAY)
    ):
        return streak.current
    return 0


def freeze_ready_on(streak: Streak) -> date | None:
    """The first missed day that a freeze could bridge; None if any day."""
    return None if streak.frozen_on is None else streak.frozen_on + FREEZE_INTERVAL


def _has_freeze(frozen: date | None, missed: date) -> bool:
    return frozen is None or missed - frozen >= FREEZE_INTERVAL
