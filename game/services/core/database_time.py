"""The database's own clock, in both dialects, and its answers as aware times."""

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils.dateparse import parse_datetime

# The time now, not that of the transaction's start; doubled signs, as for parameters.
CLOCKS = {
    "postgresql": "clock_timestamp()",
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', 'now')",
}


def clock() -> datetime:
    """The database's time now."""
    with connection.cursor() as cursor:
        cursor.execute("select " + CLOCKS[connection.vendor], ())
        found = utc(cursor.fetchone()[0])
    assert found is not None
    return found


def utc(value: Any) -> datetime | None:
    """SQLite's text or naive time as an aware one."""
    at = parse_datetime(value) if isinstance(value, str) else value
    if at is None or at.tzinfo is not None:
        return at
    return at.replace(tzinfo=UTC)


def as_lite(at: datetime) -> str:
    """A time as SQLite keeps it, always with its microseconds."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
