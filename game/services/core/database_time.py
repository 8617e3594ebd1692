"""The database's own clock, and conversion of times between Python and SQLite."""

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils.dateparse import parse_datetime

# SQL for the time now, by vendor (`now()` would be the start of the transaction).
# Percent signs are doubled because the statements have parameters.
NOW_SQL = {
    "postgresql": "clock_timestamp()",
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', 'now')",
}


def database_now() -> datetime:
    """The time now by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("select " + NOW_SQL[connection.vendor], ())
        now = as_utc(cursor.fetchone()[0])
    assert now is not None
    return now


def as_utc(value: Any) -> datetime | None:
    """A time read from SQLite (text or a naive datetime) as an aware datetime."""
    at = parse_datetime(value) if isinstance(value, str) else value
    if at is None or at.tzinfo is not None:
        return at
    return at.replace(tzinfo=UTC)


def as_sqlite_text(at: datetime) -> str:
    """A time as SQLite stores it, always with microseconds."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
