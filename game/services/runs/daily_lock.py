"""Locks on a daily's row, taken before the lock on a run's row.

Runs that start or end share the lock; settling the daily takes it exclusively. SQLite
has one writer at a time, so a transaction needs no lock there.
"""

from django.db import connection

from game.models import Daily

_BY_DAILY = "select id from game_daily where id = %s and settled_at is null for share"
_BY_RUN = """
select id from game_daily
where id = (select daily_id from game_run where id = %s and kind = 'daily')
for share
"""


def daily_lock_shared(daily_id: str) -> bool:
    """Prevent a daily from being settled until this transaction ends.

    Returns False if it is settled already.
    """
    if connection.vendor == "sqlite":
        return Daily.objects.filter(id=daily_id, settled_at=None).exists()
    with connection.cursor() as cursor:
        cursor.execute(_BY_DAILY, (daily_id,))
        return cursor.fetchone() is not None


def daily_lock_shared_for_run(run_id: str) -> None:
    """Do the same for the daily of a run; nothing for a run of another kind."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(_BY_RUN, (run_id,))


def daily_lock_exclusive(daily_id: str) -> Daily | None:
    """Lock a daily and return it; None if another transaction has locked it."""
    rows = Daily.objects.select_for_update(skip_locked=True, of=("self",))
    return rows.select_related("dungeon").filter(id=daily_id).first()
