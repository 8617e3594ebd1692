"""What follows from declining an offered match: a pause, and another opponent next.

Without a cost, two accounts could decline everybody else until the queue pairs them
with each other. An offer that runs out counts as declined. The first one of a day costs
nothing, because anybody can be called away.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

# The pause after the first, second, ... declined offer; the last for all further ones.
PAUSES: Final = (
    timedelta(0),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
)
COUNTED_FOR: Final = timedelta(days=1)
# Two players are not offered to each other again until the one who declined has raced
# this many others from the queue, or for this long: on a small site there may be nobody
# else, and declining the same stranger again should cost more.
APART_FOR_MATCHES: Final = 3
APART_FOR: Final = timedelta(hours=1)


def paused_until(declined_at: Collection[datetime], at: datetime) -> datetime | None:
    """Return until when the account is offered no match; None if it is not paused."""
    counted = [when for when in declined_at if when > at - COUNTED_FOR]
    if not counted:
        return None
    until = max(counted) + PAUSES[min(len(counted), len(PAUSES)) - 1]
    return until if until > at else None


def is_apart(
    declined_at: datetime, matches_at: Sequence[datetime], at: datetime
) -> bool:
    """Whether a declined opponent is not offered yet.

    `matches_at` are the starts of the matches that the declining account has had.
    """
    if declined_at <= at - APART_FOR:
        return False
    later = sum(when > declined_at for when in matches_at)
    return later < APART_FOR_MATCHES
