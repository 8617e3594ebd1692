"""Runs the few hot statements, which PostgreSQL then plans once a connection.

Planning the six joins of a move's reading costs ten times its execution, and Django
has every statement planned each time: it writes the values into the text, so that any
pooler may stand in between. Here they go beside it, to a prepared statement (poolers
must know those, as PgBouncer does from 1.21). Figures: docs/architecture.md "A move".
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection


def one_row(sql: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement whose text is one of a few, on any database."""
    if connection.vendor != "postgresql" or _is_watched():
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            found: tuple[Any, ...] | None = cursor.fetchone()
        return found
    return _prepared(sql, values)


def _is_watched() -> bool:
    """Whether somebody counts or wraps statements: then they go the common way."""
    return connection.queries_logged or bool(connection.execute_wrappers)


def _prepared(sql: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    from psycopg import Cursor  # noqa: PLC0415 - SQLite alone needs none

    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    raw: Any = connection.connection
    # Django has switched preparing off on its connections; for this one statement on.
    raw.prepare_threshold = 0
    try:
        with connection.wrap_database_errors, Cursor(raw) as cursor:
            return cursor.execute(sql, values).fetchone()
    finally:
        raw.prepare_threshold = None
