"""The audit log's triggers, out of the way: for tests, and for emptying in between."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from django.db.backends.base.operations import BaseDatabaseOperations

TABLES = ("game_auditentry", "game_audithead")


@contextmanager
def unguarded(alias: str = "default") -> Iterator[None]:
    """What somebody with the database's own password could do."""
    connection = connections[alias]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "select name, sql from sqlite_master where type = 'trigger'"
                " and tbl_name in (%s, %s)",
                TABLES,
            )
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"drop trigger {name}")
            yield
            for _, sql in triggers:
                cursor.execute(sql)
        else:
            cursor.execute("set constraints all immediate")
            for table in TABLES:
                cursor.execute(f"alter table {table} disable trigger user")
            yield
            for table in TABLES:
                cursor.execute(f"alter table {table} enable trigger user")


@pytest.fixture(autouse=True, scope="session")
def _emptied_unguarded() -> Iterator[None]:
    """Tests with transactions of their own leave tables that must be emptied."""
    plain = BaseDatabaseOperations.execute_sql_flush

    def flush(self: Any, sql_list: list[str]) -> None:
        tables = self.connection.introspection.table_names()
        if TABLES[0] not in tables:
            plain(self, sql_list)
            return
        with unguarded(self.connection.alias):
            plain(self, sql_list)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush)
        yield
