"""Locks on a daily's row: many may hold it while their runs end, one settles alone.

Always taken before a run's row. SQLite has one writer at a time, which is the same.
"""

from django.db import connection

from game.models import Daily

_OF_DAILY = "select id from game_daily where id = %s and settled_at is null for share"
_OF_RUN = """
select id from game_daily
where id = (select daily_id from game_run where id = %s and kind = 'daily')
for share
"""


def daily_hold(daily_id: str) -> bool:
    """Keep the daily from being settled until this transaction ends; False if it is."""
    if connection.vendor == "sqlite":
        return Daily.objects.filter(id=daily_id, settled_at=None).exists()
    with connection.cursor() as cursor:
        cursor.execute(_OF_DAILY, (daily_id,))
        return cursor.fetchone() is not None


def daily_hold_for(run_id: str) -> None:
    """The same for the daily that a run is an attempt at, if it is one."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(_OF_RUN, (run_id,))


def daily_alone(daily_id: str) -> Daily | None:
    """The daily's row for this transaction alone; None where another is at it."""
    rows = Daily.objects.select_for_update(skip_locked=True, of=("self",))
    return rows.select_related("dungeon").filter(id=daily_id).first()
