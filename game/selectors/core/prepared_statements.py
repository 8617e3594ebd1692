"""Runs the most frequent statements as prepared statements on PostgreSQL.

Planning the six joins that read a move costs ten times their execution, and Django has
every statement planned each time: it writes the values into the text, so that any
connection pooler works. A prepared statement is planned once a connection; a pooler
must support that (PgBouncer does from 1.21). It is sent to libpq directly, because a
cursor would cost twice the database's own time. Figures: docs/architecture.md "A move".
"""

import itertools
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from django.db import connection

_PLACEHOLDER = re.compile("%s|%%")
# libpq's PGRES_COMMAND_OK, PGRES_TUPLES_OK, PQTRANS_INTRANS and CONNECTION_BAD.
_COMMAND_OK, _TUPLES_OK, _IN_TRANSACTION, _BAD = 1, 2, 2, 1
# The schema has changed; the pooler has dropped the statement.
_PREPARE_AGAIN = ("0A000", "26000")
_numbers = itertools.count(1)


def one_row(sql: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement, or None. `sql` must be a constant."""
    rows = all_rows(sql, values)
    return rows[0] if rows else None


def all_rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of a statement that returns rows, see `one_row`."""
    if connection.vendor == "postgresql" and not _is_watched():
        connection.ensure_connection()
        connection.validate_no_broken_transaction()
        raw: Any = connection.connection
        if _is_begun(raw):
            return _execute_prepared(raw, sql, values)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _is_watched() -> bool:
    """Whether statements are logged or wrapped: then Django's cursor runs them."""
    return connection.queries_logged or bool(connection.execute_wrappers)


def _is_begun(raw: Any) -> bool:
    """Whether there is no transaction to begin: only the driver can begin one."""
    return bool(raw.autocommit or raw.pgconn.transaction_status == _IN_TRANSACTION)


def _execute_prepared(
    raw: Any, sql: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    # Kept on the driver's connection, because prepared statements end with it.
    known: dict[str, bytes] = raw.__dict__.setdefault("hot_statements", {})
    with connection.wrap_database_errors:
        name = known.get(sql)
        if name is None:
            # A new name each time: the server may still have the old one.
            name = f"hot_{next(_numbers)}".encode()
            _check_result(
                raw, raw.pgconn.prepare(name, _number_placeholders(sql)), _COMMAND_OK
            )
            known[sql] = name
        result = raw.pgconn.exec_prepared(name, [_encode(value) for value in values])
        try:
            _check_result(raw, result, _TUPLES_OK)
        except Exception as error:
            if getattr(error, "sqlstate", None) in _PREPARE_AGAIN:
                del known[sql]
            raise
    readers = [_READERS.get(result.ftype(at), _text) for at in range(result.nfields)]
    get = result.get_value
    return [
        tuple(
            value if (value := get(row, at)) is None else read(value)
            for at, read in enumerate(readers)
        )
        for row in range(result.ntuples)
    ]


@lru_cache(maxsize=64)
def _number_placeholders(sql: str) -> bytes:
    """The statement with $1, $2, ... for its placeholders."""
    count = 0

    def number(match: re.Match[str]) -> str:
        nonlocal count
        count += match[0] == "%s"
        return f"${count}" if match[0] == "%s" else "%"

    return _PLACEHOLDER.sub(number, sql).encode()


def _check_result(raw: Any, result: Any, wanted: int) -> None:
    """Raise the driver's error unless the result has the wanted status."""
    if result.status == wanted:
        return
    from psycopg import OperationalError, errors  # noqa: PLC0415 - PostgreSQL alone

    if raw.pgconn.status == _BAD:
        raise OperationalError("the connection is lost")
    raise errors.error_from_result(result)


def _encode(value: Any) -> bytes | None:
    """A value as text; the server takes its type from the statement."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.isoformat().encode()
    return str(value).encode()


def _text(value: bytes) -> str:
    return value.decode()


def _time(value: bytes) -> datetime:
    # ISO is set for all of our connections (`scoundrel_site.env`).
    return datetime.fromisoformat(value.decode())


# By type: boolean, integers, float, date, timestamp; everything else is text.
_READERS: Final[dict[int, Callable[[bytes], Any]]] = {
    16: lambda value: value == b"t",
    **dict.fromkeys((20, 21, 23), int),
    701: float,
    1082: lambda value: date.fromisoformat(value.decode()),
    1184: _time,
}
