"""Runs the few hot statements, which PostgreSQL then plans once a connection.

Planning the six joins of a move's reading costs ten times its execution, and Django
has every statement planned each time: it writes the values into the text, so that any
pooler may stand in between. Here they go beside it, to a prepared statement (poolers
must know those, as PgBouncer does from 1.21), and straight to libpq: a cursor would
cost twice what the database does. Figures: docs/architecture.md "A move".
"""

import itertools
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from django.db import connection

_PLACE = re.compile("%s|%%")
# libpq's PGRES_COMMAND_OK, PGRES_TUPLES_OK, PQTRANS_INTRANS and CONNECTION_BAD.
_COMMAND_OK, _TUPLES_OK, _IN_TRANSACTION, _BAD = 1, 2, 2, 1
# A schema that changed under the statement; a pooler that forgot it.
_PREPARE_AGAIN = ("0A000", "26000")
_numbers = itertools.count(1)


def one_row(sql: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement whose text is one of a few, on any database."""
    found = all_rows(sql, values)
    return found[0] if found else None


def all_rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All its rows. It must be one that returns rows."""
    if connection.vendor == "postgresql" and not _is_watched():
        connection.ensure_connection()
        connection.validate_no_broken_transaction()
        raw: Any = connection.connection
        if _is_begun(raw):
            return _prepared(raw, sql, values)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _is_watched() -> bool:
    """Whether somebody counts or wraps statements: then they go the common way."""
    return connection.queries_logged or bool(connection.execute_wrappers)


def _is_begun(raw: Any) -> bool:
    """Whether no transaction is wanted, or it runs: the driver has to begin one."""
    return bool(raw.autocommit or raw.pgconn.transaction_status == _IN_TRANSACTION)


def _prepared(raw: Any, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    # On the driver's connection itself: what is prepared ends with it.
    known: dict[str, bytes] = raw.__dict__.setdefault("hot_statements", {})
    with connection.wrap_database_errors:
        name = known.get(sql)
        if name is None:
            # Never a name that was there before: the server may still have that.
            name = f"hot_{next(_numbers)}".encode()
            _checked(raw, raw.pgconn.prepare(name, _numbered(sql)), _COMMAND_OK)
            known[sql] = name
        result = raw.pgconn.exec_prepared(name, [_out(one) for one in values])
        try:
            _checked(raw, result, _TUPLES_OK)
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
def _numbered(sql: str) -> bytes:
    """The statement as the server reads it: $1 for the first %s, and so on."""
    count = 0

    def numbered(found: re.Match[str]) -> str:
        nonlocal count
        count += found[0] == "%s"
        return f"${count}" if found[0] == "%s" else "%"

    return _PLACE.sub(numbered, sql).encode()


def _checked(raw: Any, result: Any, wanted: int) -> None:
    """Raise what the driver would have raised."""
    if result.status == wanted:
        return
    from psycopg import OperationalError, errors  # noqa: PLC0415 - PostgreSQL alone

    if raw.pgconn.status == _BAD:
        raise OperationalError("the connection is lost")
    raise errors.error_from_result(result)


def _out(value: Any) -> bytes | None:
    """A value as text, whose type the statement itself tells the server."""
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


# By type: boolean, integers, float, date, time stamp; all else is text.
_READERS: Final[dict[int, Callable[[bytes], Any]]] = {
    16: lambda value: value == b"t",
    **dict.fromkeys((20, 21, 23), int),
    701: float,
    1082: lambda value: date.fromisoformat(value.decode()),
    1184: _time,
}
