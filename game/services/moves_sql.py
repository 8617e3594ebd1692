"""The SQL of a move, by hand, in two dialects. The one place without the ORM.

Through the ORM the same rows cost several times the CPU (docs/architecture.md). Each
dialect reads everything in one statement and then writes only if the run still stands
at the index that was read; PostgreSQL writes all rows in one conditional statement,
SQLite in a short transaction of its own. Times are the database's, taken under the
row's lock, and never run backwards within a run.
"""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils.dateparse import parse_datetime

from game.selectors.runs import RunRow

_COLUMNS = """
    r.id, r.account_id, a.name, r.kind, r.ruleset, r.difficulty, r.status, r."index",
    r.snapshot, r.score, r.started_at, r.moved_at, r.finished_at, r.deadline_at,
    d.id, d.seal, d.seed_sealed, d.seed_given, d.revealed_at
"""
_READ = f"""
select {_COLUMNS}, m."index", m.code, {{now}}
from game_run r
join game_dungeon d on d.id = r.dungeon_id
join game_account a on a.id = r.account_id
left join game_move m on m.run_id = r.id and m.key = %s
where r.id = %s
"""
_READ_PG = _READ.format(now="clock_timestamp()")
_READ_LITE = _READ.format(now="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')")

# One statement is one transaction: the run's row is locked by the update, and whoever
# finds the index moved on writes nothing at all.
_WRITE_PG = """
with r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        moved_at = greatest(clock_timestamp(), moved_at)
    where id = %s and "index" = %s and status = 'playing'
    returning id, moved_at
)
insert into game_move (run_id, "index", code, key, at)
select id, %s, %s, %s, moved_at from r
returning at
"""
_END_PG = """
with r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        (moved_at, finished_at) = (
            select t, t from greatest(clock_timestamp(), moved_at) t
        )
    where id = %s and "index" = %s and status = 'playing'
    returning id, moved_at, dungeon_id, kind
), d as (
    update game_dungeon set revealed_at = coalesce(revealed_at, r.moved_at) from r
    where game_dungeon.id = r.dungeon_id and r.kind = 'practice'
)
insert into game_move (run_id, "index", code, key, at)
select id, %s, %s, %s, moved_at from r
returning at
"""
_NOW_LITE = "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', 'now')"
_UPDATE_LITE = f"""
update game_run set
    "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
    moved_at = max({_NOW_LITE}, moved_at){{finished}}
where id = %s and "index" = %s and status = 'playing'
returning moved_at
"""
_WRITE_LITE = _UPDATE_LITE.format(finished="")
_END_LITE = _UPDATE_LITE.format(finished=f", finished_at = max({_NOW_LITE}, moved_at)")
_MOVE_LITE = (
    'insert into game_move (run_id, "index", code, key, at) values (%s, %s, %s, %s, %s)'
)
_REVEAL_LITE = """
update game_dungeon set revealed_at = coalesce(revealed_at, %s)
where origin = 'practice'
    and id = (select dungeon_id from game_run where id = %s)
"""


class MoveRead(NamedTuple):
    """What one read brings: the run, the move that has the key, the database's time."""

    row: RunRow
    key_index: int | None
    key_code: str | None
    now: datetime


class MoveWrite(NamedTuple):
    """What one write needs: the run after the move, and the move."""

    run_id: str
    index: int  # type: ignore[assignment]  # not tuple.index, which nobody needs
    code: str
    key: str | None
    snapshot: str
    status: str
    health: int
    faced: int
    score: int | None


def move_read(run_id: str, key: str | None) -> MoveRead | None:
    """The run and whatever the key has done on it already, in one statement."""
    lite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute(_READ_LITE if lite else _READ_PG, (key, run_id))
        found = cursor.fetchone()
    if found is None:
        return None
    width = len(RunRow._fields)
    values: list[Any] = list(found)
    if lite:
        for at in (10, 11, 12, 13, 18, 21):
            values[at] = _utc(values[at])
        values[17] = bool(values[17])
    return MoveRead(RunRow(*values[:width]), *values[width:])


def move_write(write: MoveWrite) -> datetime | None:
    """Record the move if the run still stands at its index; when, or None if not."""
    after = (
        write.index + 1,
        write.snapshot,
        write.status,
        write.health,
        write.faced,
        write.score,
        write.run_id,
        write.index,
    )
    over = write.status != "playing"
    if connection.vendor == "sqlite":
        return _write_lite(write, after, over=over)
    with connection.cursor() as cursor:
        cursor.execute(
            _END_PG if over else _WRITE_PG,
            (*after, write.index, write.code, write.key),
        )
        found = cursor.fetchone()
    return found[0] if found else None


def _write_lite(
    write: MoveWrite, after: tuple[Any, ...], *, over: bool
) -> datetime | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_END_LITE if over else _WRITE_LITE, after)
        found = cursor.fetchone()
        if found is None:
            return None
        at = _utc(found[0])
        moment = at.replace(tzinfo=None).isoformat(" ", "microseconds") if at else None
        cursor.execute(
            _MOVE_LITE, (write.run_id, write.index, write.code, write.key, moment)
        )
        if over:
            cursor.execute(_REVEAL_LITE, (moment, write.run_id))
    return at


def _utc(value: Any) -> datetime | None:
    """SQLite's text or naive time as an aware one."""
    at = parse_datetime(value) if isinstance(value, str) else value
    return at.replace(tzinfo=UTC) if at else None
