"""The calendar of dailies: days, weeks and seasons in UTC, all ranges half-open.

A daily belongs to one UTC day for players in every time zone, so that everybody has the
same 24 hours. Times are aware datetimes of any time zone.
"""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

DAY: Final = timedelta(days=1)
# A run that was started in time can be finished this long after the close.
FINISH_WITHIN: Final = timedelta(minutes=30)
SETTLE_AFTER: Final = timedelta(minutes=35)
# After this delay a missing settlement is reported to the operator.
SETTLEMENT_LATE_AFTER: Final = timedelta(minutes=10)
PUBLISH_AHEAD_DAYS: Final = 30
# Daily number 1, and the first day of season 1: a Monday.
FIRST_DAY: Final = date(2026, 1, 5)
SEASON_WEEKS: Final = 10
_SEASON: Final = timedelta(weeks=SEASON_WEEKS)


class Band(StrEnum):
    """A dungeon's difficulty: how often a fixed bot clears it in 20 games."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


# Monday first. Fixed in advance, so that the operator cannot favour anybody.
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
    """The phase of a daily."""

    AHEAD = "ahead"
    OPEN = "open"
    CLOSED = "closed"
    SETTLED = "settled"


class DailyWindow(NamedTuple):
    """The times of one daily, UTC.

    Runs start in [opens_at, closes_at) and must end before `ends_at`; the board is
    settled at `settles_at` or later.
    """

    opens_at: datetime
    closes_at: datetime
    ends_at: datetime
    settles_at: datetime


class DateRange(NamedTuple):
    """The days from `first` up to but not including `end`."""

    first: date
    end: date

    def __contains__(self, on: object) -> bool:
        return isinstance(on, date) and self.first <= on < self.end


def day_of(at: datetime) -> date:
    """The UTC day of a time. Raises ValueError for a naive datetime."""
    if at.tzinfo is None:
        raise ValueError("A datetime without a time zone has no UTC day.")
    return at.astimezone(UTC).date()


def daily_window(on: date) -> DailyWindow:
    """The times of the daily of that day."""
    opens = datetime(on.year, on.month, on.day, tzinfo=UTC)
    closes = opens + DAY
    return DailyWindow(opens, closes, closes + FINISH_WITHIN, closes + SETTLE_AFTER)


def daily_phase(on: date, at: datetime, settled_at: datetime | None) -> DailyPhase:
    """The phase of that day's daily; once settled, `at` is ignored."""
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
    """The seven days of a week from Monday. Raises ValueError for an invalid key."""
    year, _, week = key.partition("-W")
    if len(year) != 4 or len(week) != 2:
        raise ValueError(f"{key!r} is not a week such as 2026-W48.")
    first = date.fromisocalendar(int(year), int(week), 1)
    return DateRange(first, first + timedelta(weeks=1))


def season_number(on: date) -> int:
    """The season a day belongs to: 1 from FIRST_DAY on, 0 and below before it."""
    return (on - FIRST_DAY) // _SEASON + 1


def season_range(number: int) -> DateRange:
    """The seventy days of a season. Raises ValueError past the year 9999."""
    try:
        first = FIRST_DAY + (number - 1) * _SEASON
        return DateRange(first, first + _SEASON)
    except OverflowError as error:
        raise ValueError(f"There is no season {number}.") from error
