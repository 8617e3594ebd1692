"""Days, weeks and seasons of dailies: UTC throughout, every window half-open.

A daily belongs to one UTC day whatever zone its players live in, so that nobody has a
longer day than another. Owns the instants of a daily and what is planned for a date.
Knows no table and no clock: times enter as aware datetimes of any zone.
"""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

DAY: Final = timedelta(days=1)
# A run that was started in time may still be played so long after the close.
FINISH_WITHIN: Final = timedelta(minutes=30)
SETTLE_AFTER: Final = timedelta(minutes=35)
# A settlement that has not come by then is late: somebody should look.
SETTLEMENT_LATE_AFTER: Final = timedelta(minutes=10)
PUBLISH_AHEAD_DAYS: Final = 30
# Daily number 1, and the first day of season 1: a Monday.
FIRST_DAY: Final = date(2026, 1, 5)
SEASON_WEEKS: Final = 10
_SEASON: Final = timedelta(weeks=SEASON_WEEKS)


class Band(StrEnum):
    """How hard a dungeon is: how often a fixed player clears it in 20 games."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


# Monday first. Named beforehand, so that nobody can suit it to anybody.
PLANNED_BANDS: Final = (
    Band.EASY,
    Band.MEDIUM,
    Band.EASY,
    Band.MEDIUM,
    Band.EASY,
    Band.MEDIUM,
    Band.HARD,
)


class DailyPhase(StrEnum):
    """Where a daily stands at an instant."""

    AHEAD = "ahead"
    OPEN = "open"
    CLOSED = "closed"
    SETTLED = "settled"


class DailyWindow(NamedTuple):
    """The instants of one daily, UTC.

    A run may start in [opens_at, closes_at) and end before `ends_at`; the board is
    settled from `settles_at` on.
    """

    opens_at: datetime
    closes_at: datetime
    ends_at: datetime
    settles_at: datetime


class DateRange(NamedTuple):
    """Days from `first` up to, and without, `end`."""

    first: date
    end: date

    def __contains__(self, on: object) -> bool:
        return isinstance(on, date) and self.first <= on < self.end


def day_of(at: datetime) -> date:
    """The UTC day of an instant. Raises ValueError for a naive time."""
    if at.tzinfo is None:
        raise ValueError("A time without a zone belongs to no day.")
    return at.astimezone(UTC).date()


def daily_window(on: date) -> DailyWindow:
    """The instants of the daily of that day."""
    opens = datetime(on.year, on.month, on.day, tzinfo=UTC)
    closes = opens + DAY
    return DailyWindow(opens, closes, closes + FINISH_WITHIN, closes + SETTLE_AFTER)


def daily_phase(on: date, at: datetime, settled_at: datetime | None) -> DailyPhase:
    """Where the daily of that day stands; settled is settled, whatever a clock says."""
    if settled_at is not None:
        return DailyPhase.SETTLED
    times = daily_window(on)
    if at < times.opens_at:
        return DailyPhase.AHEAD
    return DailyPhase.OPEN if at < times.closes_at else DailyPhase.CLOSED


def day_number(on: date) -> int:
    """The daily's number: 1 on FIRST_DAY."""
    return (on - FIRST_DAY).days + 1


def planned_band(on: date) -> Band:
    """The difficulty that is planned for that day of the week."""
    return PLANNED_BANDS[on.weekday()]


def week_key(on: date) -> str:
    """The ISO week of a day, such as 2026-W48."""
    year, week, _ = on.isocalendar()
    return f"{year}-W{week:02}"


def week_range(key: str) -> DateRange:
    """The seven days of a week, from Monday. Raises ValueError for no week's key."""
    year, _, week = key.partition("-W")
    if len(year) != 4 or len(week) != 2:
        raise ValueError(f"{key!r} is no week such as 2026-W48.")
    first = date.fromisocalendar(int(year), int(week), 1)
    return DateRange(first, first + timedelta(weeks=1))


def season_number(on: date) -> int:
    """The season a day belongs to: 1 from FIRST_DAY on, 0 and below before it."""
    return (on - FIRST_DAY) // _SEASON + 1


def season_range(number: int) -> DateRange:
    """The seventy days of a season. Raises ValueError where the calendar ends."""
    try:
        first = FIRST_DAY + (number - 1) * _SEASON
        return DateRange(first, first + _SEASON)
    except OverflowError as error:
        raise ValueError(f"There is no season {number}.") from error
