"""Days, weeks and seasons: half-open ranges in UTC, independent of time zones."""

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from game.contest.calendar import (
    FIRST_DAY,
    PLANNED_BANDS,
    Band,
    DailyPhase,
    daily_phase,
    daily_window,
    day_number,
    day_of,
    planned_band,
    season_number,
    season_range,
    week_key,
    week_range,
)

# One each side of the equator, both ways of Greenwich, and a half-hour zone.
ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
]
SECOND = timedelta(seconds=1)


def test_day_range_is_half_open() -> None:
    times = daily_window(date(2026, 11, 29))
    assert day_of(times.opens_at) == date(2026, 11, 29)
    assert day_of(times.closes_at - SECOND) == date(2026, 11, 29)
    assert day_of(times.closes_at) == date(2026, 11, 30)
    assert times.closes_at - SECOND == datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
    assert times.ends_at - times.closes_at == timedelta(minutes=30)
    assert times.settles_at - times.closes_at == timedelta(minutes=35)


@pytest.mark.parametrize(
    ("on", "next_day"),
    [
        (date(2026, 12, 31), date(2027, 1, 1)),
        (date(2028, 2, 28), date(2028, 2, 29)),
        (date(2028, 2, 29), date(2028, 3, 1)),
        (date(2027, 2, 28), date(2027, 3, 1)),
    ],
)
def test_next_day(on: date, next_day: date) -> None:
    assert day_of(daily_window(on).closes_at) == next_day
    assert daily_window(on).closes_at == daily_window(next_day).opens_at


@pytest.mark.parametrize("name", ZONES)
def test_clock_changes_of_zones_do_not_change_a_day(name: str) -> None:
    zone = ZoneInfo(name)
    for month in range(1, 13):
        on = date(2027, month, 1)
        while on.month == month:
            times = daily_window(on)
            here = times.opens_at.astimezone(zone)
            assert day_of(here) == on
            assert day_of((times.closes_at - SECOND).astimezone(zone)) == on
            assert times.closes_at - times.opens_at == timedelta(hours=24)
            on += timedelta(days=1)


def test_naive_time_is_refused() -> None:
    said = r"^A datetime without a time zone has no UTC day\.$"
    with pytest.raises(ValueError, match=said):
        day_of(datetime(2026, 11, 29))  # noqa: DTZ001 - naive on purpose


def test_phases() -> None:
    on = date(2026, 11, 29)
    times = daily_window(on)
    assert daily_phase(on, times.opens_at - SECOND, None) is DailyPhase.AHEAD
    assert daily_phase(on, times.opens_at, None) is DailyPhase.OPEN
    assert daily_phase(on, times.closes_at - SECOND, None) is DailyPhase.OPEN
    assert daily_phase(on, times.closes_at, None) is DailyPhase.CLOSED
    assert daily_phase(on, times.settles_at + SECOND, None) is DailyPhase.CLOSED
    # A settled daily stays settled if the clock is set back.
    assert daily_phase(on, times.opens_at, times.settles_at) is DailyPhase.SETTLED


def test_every_weekday_has_a_plan() -> None:
    monday = date(2026, 11, 30)
    assert [planned_band(monday + timedelta(days=n)) for n in range(7)] == list(
        PLANNED_BANDS
    )
    assert set(PLANNED_BANDS) == set(Band)


def test_weeks() -> None:
    assert week_key(date(2026, 12, 31)) == week_key(date(2027, 1, 3)) == "2026-W53"
    assert week_key(date(2027, 1, 4)) == "2027-W01"
    for on in (date(2026, 12, 31), date(2028, 2, 29), date(2027, 1, 4)):
        span = week_range(week_key(on))
        assert on in span
        assert span.end - span.first == timedelta(days=7)
        assert span.first.weekday() == 0
    for key in ("2026-W54", "2026-48", "x", "2026-W1", "2026-W00"):
        with pytest.raises(ValueError, match=r".+"):
            week_range(key)


def test_season_is_ten_weeks() -> None:
    assert FIRST_DAY.weekday() == 0
    assert (day_number(FIRST_DAY), season_number(FIRST_DAY)) == (1, 1)
    assert season_number(FIRST_DAY - timedelta(days=1)) == 0
    assert season_number(FIRST_DAY + timedelta(days=69)) == 1
    assert season_number(FIRST_DAY + timedelta(days=70)) == 2
    for number in (-3, 0, 1, 2, 50):
        span = season_range(number)
        assert season_number(span.first) == number
        assert season_number(span.end) == number + 1
    with pytest.raises(ValueError, match="season"):
        season_range(10**9)


def test_the_day_does_not_depend_on_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    try:
        with monkeypatch.context() as changed:
            changed.setenv("TZ", "Pacific/Kiritimati")
            time.tzset()
            assert day_of(datetime(2026, 11, 29, 23, tzinfo=UTC)) == date(2026, 11, 29)
    finally:
        time.tzset()


def test_invalid_week_is_named() -> None:
    with pytest.raises(ValueError, match=r"^'2026' is not a week such as 2026-W48\.$"):
        week_range("2026")
