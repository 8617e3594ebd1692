"""How long one waits after leaving rated races. Pure: times in, times out.

Each leaving raises the grade by one; each day without one lowers it by one. The grade
of the last leaving says how long the wait is, counted from then.
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
# Older leavings have decayed whatever came after them.
COUNTED_FOR: Final = GRADE_DECAYS_EVERY * (len(PENALTY_BY_GRADE) + 1) * 4
# Who has not moved for so long when the time runs out has left.
IDLE_LIMIT: Final = timedelta(minutes=2)
# So many within so long, and somebody should look.
FLAG_AT_COUNT: Final = 5
FLAG_WINDOW: Final = timedelta(days=1)


class LeaverPenalty(NamedTuple):
    """The wait that a row of leavings comes to; `grade` is 1 to 6."""

    grade: int
    until: datetime


def leaver_penalty(leavings: Iterable[datetime]) -> LeaverPenalty | None:
    """The wait after the last of these leavings; None: there was none."""
    grade, last = 0, None
    for at in sorted(leavings):
        if last is not None:
            grade = max(0, grade - (at - last) // GRADE_DECAYS_EVERY)
        grade, last = min(grade + 1, len(PENALTY_BY_GRADE)), at
    return (
        None
        if last is None
        else LeaverPenalty(grade, last + PENALTY_BY_GRADE[grade - 1])
    )


def is_abandonment(state: str, *, idle: timedelta, others_playing: bool) -> bool:
    """Whether a run that ended in that state was left, to the others' cost.

    Giving up when everybody else has finished keeps nobody waiting. Running out of
    time is no leaving where one was playing until then.
    """
    if not others_playing and state == "forfeited":
        return False
    if state == "timed_out":
        return idle >= IDLE_LIMIT
    return state in ("forfeited", "no_show")


def should_flag(leavings: Iterable[datetime], at: datetime) -> bool:
    """Whether there were so many lately that somebody should look."""
    return sum(one > at - FLAG_WINDOW for one in leavings) >= FLAG_AT_COUNT
