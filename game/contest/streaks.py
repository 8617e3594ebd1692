"""Streaks: consecutive days with a ranked daily, with one freeze every 30 days.

A freeze bridges a single missed day if none was used in the 30 days before it; the
bridged day is not counted. Two missed days in a row end the streak and use no freeze.
Days with an outage, and days that a moderator bridges, are not missed (`bridged`).
"""

from collections.abc import Collection, Iterable
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


def extend_streak(streak: Streak, on: date, bridged: Collection[date] = ()) -> Streak:
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
    missed, frozen = _missed_days(last, on, bridged), streak.frozen_on
    if not missed:
        current = streak.current + 1
    elif len(missed) == 1 and _has_freeze(frozen, missed[0]):
        current, frozen = streak.current + 1, missed[0]
    else:
        current = 1
    return Streak(on, current, max(streak.longest, current), frozen)


def build_streak(days: Iterable[date], bridged: Collection[date] = ()) -> Streak:
    """The streak of these played days, in any order."""
    streak = NO_STREAK
    for on in sorted(set(days)):
        streak = extend_streak(streak, on, bridged)
    return streak


def current_length(streak: Streak, today: date, bridged: Collection[date] = ()) -> int:
    """The streak's length on that day; 0 once playing today could not continue it."""
    if streak.last_on is None:
        return 0
    missed = _missed_days(streak.last_on, today, bridged)
    if not missed or (len(missed) == 1 and _has_freeze(streak.frozen_on, missed[0])):
        return streak.current
    return 0


def freeze_ready_on(streak: Streak) -> date | None:
    """The first missed day that a freeze could bridge; None if any day."""
    return None if streak.frozen_on is None else streak.frozen_on + FREEZE_INTERVAL


def _missed_days(last: date, on: date, bridged: Collection[date]) -> list[date]:
    """The first days between these that are not bridged, at most two."""
    missed: list[date] = []
    day = last + _DAY
    while day < on and len(missed) < 2:
        if day not in bridged:
            missed.append(day)
        day += _DAY
    return missed


def _has_freeze(frozen: date | None, missed: date) -> bool:
    return frozen is None or missed - frozen >= FREEZE_INTERVAL
