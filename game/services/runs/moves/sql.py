"""The SQL of a move, by hand, in two dialects. The one place without the ORM.

Through the ORM the same rows cost several times the CPU (docs/architecture.md). Each
dialect reads everything in one statement and then writes only if the run still stands
at the index that was read; PostgreSQL writes all rows in one conditional statement,
SQLite in a short transaction of its own. Times are the database's, taken under the
row's lock, and never run backwards within a run.
"""

from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils.dateparse import parse_date

from game.selectors.core.prepared_statements import one_row
from game.selectors.races.snapshots import EventRow
from game.selectors.runs.runs import RunRow
from game.services.core.database_time import CLOCKS, as_lite, utc
from game.services.runs.moves.race_sql import RaceWrite, race_move_write

_COLUMNS = """
    r.id, r.account_id, a.name, r.kind, r.ruleset, r.difficulty, r.status, r."index",
    r.snapshot, r.score, r.started_at, r.moved_at, r.finished_at,
    coalesce(g.deadline_at, r.deadline_at),
    d.id, d.seal, d.seed_sealed, d.seed_given, d.revealed_at, y."on",
    r.race_id
"""
_READ = f"""
select {_COLUMNS}, e.seat, m."index", m.code, {{now}}
from game_run r
join game_dungeon d on d.id = r.dungeon_id
join game_account a on a.id = r.account_id
left join game_daily y on y.id = r.daily_id
left join game_race g on g.id = r.race_id
left join game_entrant e on e.run_id = r.id
left join game_move m on m.run_id = r.id and m.key = %s
where
"""
_READS = {vendor: _READ.format(now=now) for vendor, now in CLOCKS.items()}
_BY_RUN = "r.id = %s"
_BY_RACE = "r.race_id = %s and r.account_id = %s"

# One statement is one transaction: the run's row is locked by the update, and whoever
# finds the index moved on writes nothing at all.
_WRITE_PG = """
with r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        moved_at = greatest(clock_timestamp(), moved_at)
    where id = %s and "index" = %s and status = 'playing'
        and (deadline_at is null or deadline_at > clock_timestamp())
    returning id, moved_at
)
insert into game_move (run_id, "index", code, key, at)
select id, %s, %s, %s, moved_at from r
returning at
"""
_END_PG_ANY = """
with {hold}r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        (moved_at, finished_at) = (
            select t, t from greatest(clock_timestamp(), moved_at) t
        )
    {held}where game_run.id = %s and "index" = %s and status = 'playing'
        and (deadline_at is null or deadline_at > clock_timestamp())
    returning game_run.id, moved_at, dungeon_id
), d as (
    update game_dungeon set revealed_at = coalesce(revealed_at, r.moved_at) from r
    where game_dungeon.id = r.dungeon_id and game_dungeon.origin = 'practice'
)
insert into game_move (run_id, "index", code, key, at)
select id, %s, %s, %s, moved_at from r
returning at
"""
_END_PG = _END_PG_ANY.format(hold="", held="")
# The end of a ranked daily holds its daily's row, so that no board is settled around
# it; and first, since locks are taken in the order daily, run.
_END_DAILY_PG = _END_PG_ANY.format(
    hold="""y as materialized (
    select id from game_daily
    where id = (select daily_id from game_run where id = %s) and settled_at is null
    for share
), """,
    held="from y ",
)
_NOW_LITE = CLOCKS["sqlite"]
_UPDATE_LITE = f"""
update game_run set
    "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
    moved_at = max({_NOW_LITE}, moved_at){{finished}}
where id = %s and "index" = %s and status = 'playing'
    and (deadline_at is null or deadline_at > {_NOW_LITE})
returning moved_at
"""
_WRITE_LITE = _UPDATE_LITE.format(finished="")
_END_LITE = _UPDATE_LITE.format(finished=f", finished_at = max({_NOW_LITE}, moved_at)")
# One writer at a time: what is not settled when this begins is not settled before it
# ends.
_END_DAILY_LITE = _END_LITE.replace(
    "\nreturning",
    """
    and daily_id in (select id from game_daily where settled_at is null)
returning""",
)
_MOVE_LITE = (
    'insert into game_move (run_id, "index", code, key, at) values (%s, %s, %s, %s, %s)'
)
_REVEAL_LITE = """
update game_dungeon set revealed_at = coalesce(revealed_at, %s)
where origin = 'practice'
    and id = (select dungeon_id from game_run where id = %s)
"""


class MoveRead(NamedTuple):
    """What one read brings: the run, the move that has the key, the database's time.

    `seat` is the run's seat in its race, if it has one.
    """

    row: RunRow
    seat: int | None
    key_index: int | None
    key_code: str | None
    now: datetime


class MoveWrite(NamedTuple):
    """What one write needs: the run after the move, the move, its race's event.

    `before` is the snapshot that a race's move was made from: it is recorded only if
    the run still has that one.
    """

    run_id: str
    index: int  # type: ignore[assignment]  # not tuple.index, which nobody needs
    code: str
    key: str | None
    snapshot: str
    status: str
    health: int
    faced: int
    score: int | None
    daily: bool = False
    event: RaceWrite | None = None
    before: str = ""


class MoveDone(NamedTuple):
    """When the move was recorded, and as which event of its race.

    `event` is that event where it did not end the run.
    """

    at: datetime
    seq: int | None = None
    event: EventRow | None = None


def move_read(run_id: str, key: str | None) -> MoveRead | None:
    """The run and whatever the key has done on it already, in one statement."""
    return _read(_BY_RUN, (key, run_id))


def move_read_in_race(
    race_id: str, account_id: str, key: str | None
) -> MoveRead | None:
    """The same, of an account's run in a race."""
    return _read(_BY_RACE, (key, race_id, account_id))


def _read(which: str, asked: tuple[str | None, ...]) -> MoveRead | None:
    lite = connection.vendor == "sqlite"
    found = one_row(_READS[connection.vendor] + which, asked)
    if found is None:
        return None
    width = len(RunRow._fields)
    values: list[Any] = list(found)
    if lite:
        for at in (10, 11, 12, 13, 18, 24):
            values[at] = utc(values[at])
        values[17], values[19] = bool(values[17]), _day(values[19])
    return MoveRead(RunRow(*values[:width]), *values[width:])


def move_write(write: MoveWrite) -> MoveDone | None:
    """Record the move if the run still stands at its index; when, or None if not.

    A race's move is recorded only before the race's deadline, with the race's next
    event, all in the same statement or transaction.
    """
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
    if write.event is not None:
        run = (*after, write.before)
        done = race_move_write(write.event, run, (write.code, write.key), over=over)
        return _done_in_race(write.event, *done, over=over) if done else None
    if connection.vendor == "sqlite":
        return _write_lite(write, after, over=over)
    end, hold = (_END_DAILY_PG, [write.run_id]) if write.daily else (_END_PG, [])
    found = one_row(
        end if over else _WRITE_PG,
        (*(hold if over else []), *after, write.index, write.code, write.key),
    )
    return MoveDone(found[0]) if found else None


def _done_in_race(event: RaceWrite, at: datetime, seq: int, *, over: bool) -> MoveDone:
    row = EventRow(seq, "moved", at, *event, None, None)
    return MoveDone(at, seq, None if over else row)


def _write_lite(
    write: MoveWrite, after: tuple[Any, ...], *, over: bool
) -> MoveDone | None:
    with transaction.atomic(), connection.cursor() as cursor:
        end = _END_DAILY_LITE if write.daily else _END_LITE
        cursor.execute(end if over else _WRITE_LITE, after)
        found = cursor.fetchone()
        if found is None:
            return None
        at = utc(found[0])
        assert at is not None
        moment = as_lite(at)
        cursor.execute(
            _MOVE_LITE, (write.run_id, write.index, write.code, write.key, moment)
        )
        if over:
            cursor.execute(_REVEAL_LITE, (moment, write.run_id))
    return MoveDone(at)


def _day(value: Any) -> date | None:
    return parse_date(value) if isinstance(value, str) else value
