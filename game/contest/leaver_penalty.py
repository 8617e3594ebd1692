"""The penalty for abandoning rated races: a wait before the next rated race.

Each abandonment raises the grade by one; each day without one lowers it by one. The
grade of the last abandonment gives the length of the penalty, counted from then.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

PENALTY_BY_GRADE: Final = (
    timedelta(minutes=10),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
    timedelta(days=1),
    timedelta(days=3),
)
GRADE_DECAYS_EVERY: Final = timedelta(days=1)
# Older abandonments cannot affect the grade any more.
COUNTED_FOR: Final = GRADE_DECAYS_EVERY * (len(PENALTY_BY_GRADE) + 1) * 4
# An entrant without a move for this long before the deadline has abandoned the race.
IDLE_LIMIT: Final = timedelta(minutes=2)
# This many abandonments within FLAG_WINDOW raise a moderation flag.
FLAG_AT_COUNT: Final = 5
FLAG_WINDOW: Final = timedelta(days=1)


class LeaverPenalty(NamedTuple):
    """A penalty; `grade` is 1 to 6."""

    grade: int
    until: datetime


def leaver_penalty(abandoned_at: Iterable[datetime]) -> LeaverPenalty | None:
    """The penalty after these abandonments; None if there are none."""
    grade, last = 0, None
    for at in sorted(abandoned_at):
        if last is not None:
            grade = max(0, grade - (at - last) // GRADE_DECAYS_EVERY)
        grade, last = min(grade + 1, len(PENALTY_BY_GRADE)), at
    return (
        None
        if last is None
        else LeaverPenalty(grade, last + PENALTY_BY_GRADE[grade - 1])
    )


def is_abandonment(state: str, *, idle: timedelta, are_others_playing: bool) -> bool:
    """Whether a run that ended in that state counts as an abandonment.

    A forfeit after everybody else has finished does not; nor does running out of time
    while still making moves.
    """
    if not are_others_playing and state == "forfeited":
        return False
    if state == "timed_out":
        return idle >= IDLE_LIMIT
    return state in ("forfeited", "no_show")


def should_flag(abandoned_at: Iterable[datetime], at: datetime) -> bool:
    """Whether there are enough recent abandonments for a moderation flag."""
    return sum(time > at - FLAG_WINDOW for time in abandoned_at) >= FLAG_AT_COUNT
