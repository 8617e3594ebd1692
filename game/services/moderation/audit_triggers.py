"""Whether the database still has the triggers by which the audit log is only added to.

They are made by migrations; whoever owns the database may drop them, and SQLite drops
them with a table that a migration makes anew.
"""

from typing import Final

from django.db import connection

_NAMES: Final = {
    "postgresql": (
        "game_auditentry_only_added",
        "game_auditentry_not_emptied",
        "game_audithead_begins",
        "game_audithead_goes_on",
        "game_audithead_stays",
        "game_audithead_not_emptied",
    ),
    "sqlite": (
        "game_auditentry_no_update",
        "game_auditentry_no_delete",
        "game_auditentry_no_replace",
        "game_audithead_begins",
        "game_audithead_goes_on",
        "game_audithead_stays",
    ),
}
_FOUND: Final = {
    # 'O' fires in ordinary sessions, 'A' in all; 'D' is disabled.
    "postgresql": (
        "select tgname from pg_trigger where tgenabled in ('O', 'A') and tgrelid in"
        " ('game_auditentry'::regclass, 'game_audithead'::regclass)"
    ),
    "sqlite": (
        "select name from sqlite_master where type = 'trigger'"
        " and tbl_name in ('game_auditentry', 'game_audithead')"
    ),
}


def guards_missing() -> list[str]:
    """The names of the triggers that are not there, or do not fire."""
    with connection.cursor() as cursor:
        cursor.execute(_FOUND[connection.vendor])
        found = {name for (name,) in cursor.fetchall()}
    return [name for name in _NAMES[connection.vendor] if name not in found]
