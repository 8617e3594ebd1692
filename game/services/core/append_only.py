"""The triggers that refuse changes of append-only tables. Migrations create them.

The owner of the database can drop them, and SQLite drops them when a migration rebuilds
a table, so the checks of the two chains report missing ones.
"""

from collections.abc import Sequence
from typing import Final

from django.db import connection

# Of the table of entries, and of the table with the chain's head.
_ENTRIES: Final = {
    "postgresql": ("only_added", "not_emptied"),
    "sqlite": ("no_update", "no_delete", "no_replace"),
}
_HEAD: Final = {
    "postgresql": ("begins", "goes_on", "stays", "not_emptied"),
    "sqlite": ("begins", "goes_on", "stays"),
}
_SELECT: Final = {
    # 'O' fires in ordinary sessions, 'A' in all; 'D' is disabled.
    "postgresql": (
        "select tgname from pg_trigger where tgenabled in ('O', 'A')"
        " and tgrelid in (%s::regclass, %s::regclass)"
    ),
    "sqlite": (
        "select name from sqlite_master where type = 'trigger' and tbl_name in (%s, %s)"
    ),
}


def triggers_missing(
    entries: str, head: str, *, others: Sequence[str] = ()
) -> list[str]:
    """The names of the triggers of a chain's two tables that are absent or disabled.

    `others` are further triggers of the table of entries.
    """
    vendor = connection.vendor
    with connection.cursor() as cursor:
        cursor.execute(_SELECT[vendor], (entries, head))
        present = {name for (name,) in cursor.fetchall()}
    expected = (
        *(f"{entries}_{name}" for name in (*_ENTRIES[vendor], *others)),
        *(f"{head}_{name}" for name in _HEAD[vendor]),
    )
    return [name for name in expected if name not in present]
