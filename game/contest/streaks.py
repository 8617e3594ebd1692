"""Streaks: days in a row on which somebody played, with one freeze each 30 days.

A single missed day is bridged by a freeze, if none was used in the 30 days before it;
two missed days in a row end the streak, and cost no freeze. A bridged day is not
counted. Pure: days in, a value out; any order of settling gives the same.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

FREEZE_INTERVAL: Final = timedelta(days=30)
_DAY: Final = timedelta(days=1)


class Streak(NamedTuple):
    """What a row of played days has come to.

    `current` counts the played days of the row that ends with `last_on`; whether it
    still lives is a question of the day it is asked on (`alive`).
    """

    last_on: date | None = None
    current: int = 0
    longest: int = 0
    frozen_on: date | None = None


NO_STREAK: Final = Streak()


def extend_streak(streak: Streak, on: date) -> Streak:
    """The streak once a later day has been played; the same day again changes nothing.

    Raises ValueError for a day before the last one: count such anew (`streak_of`).
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
    """The streak of all the days somebody played, in any order."""
    streak = NO_STREAK
    for on in sorted(set(days)):
        streak = extend_streak(streak, on)
    return streak


def current_length(streak: Streak, today: date) -> int:
    """How long the streak is on that day: it lives while playing today would go on."""
    if streak.last_on is None:
        return 0
    missed = (today - streak.last_on).days - 1
    if missed <= 0 or (
        missed == 1 and _has_freeze(streak.frozen_on, streak.last_on + _DAY)
    ):
        return streak.current
    return 0


def freeze_ready_on(streak: Streak) -> date | None:
    """From which missed day on a freeze is there again; None: it is there now."""
    return None if streak.frozen_on is None else streak.frozen_on + FREEZE_INTERVAL


def _has_freeze(frozen: date | None, missed: date) -> bool:
    return frozen is None or missed - frozen >= FREEZE_INTERVAL
