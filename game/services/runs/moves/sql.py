"""The SQL that reads and writes a move, in two dialects; a move uses no ORM.

Through the ORM the same rows cost several times the CPU (docs/architecture.md).

- One statement reads everything.
- The write is conditional: it changes nothing if the run has changed or its deadline
  has passed. PostgreSQL writes all rows in one statement, SQLite in one transaction.
- Times are the database's, taken under the run's lock, and never decrease in a run.
- Locks are taken in the order daily, run, race.
- In a race the same write increases the race's event counter under the race's lock and
  inserts the event, so events are numbered in commit order. A move that ends a run of a
  `speed` race also shortens the deadline (as `game.contest.race.grace_deadline`).
"""

from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils.dateparse import parse_date

from game.contest.race import Format, grace_deadline
from game.selectors.core.prepared_statements import one_row
from game.selectors.races.snapshots import EventRow
from game.selectors.runs.runs import RunRow
from game.services.core.database_time import (
    NOW_SQL,
    as_sqlite_text,
    as_utc,
    database_now,
)

# --- Reading --------------------------------------------------------------------------

_COLUMNS = """
    r.id, r.account_id, a.name, r.kind, r.ruleset, r.difficulty, r.status, r."index",
    r.snapshot, r.score, r.started_at, r.moved_at, r.finished_at,
    coalesce(g.deadline_at, r.deadline_at),
    d.id, d.seal, d.seed_sealed, d.seed_given, d.revealed_at, y."on",
    r.race_id, r.by_program, r.paused_ms, r.coached
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
_READS = {vendor: _READ.format(now=now) for vendor, now in NOW_SQL.items()}
_BY_RUN = "r.id = %s"
_BY_RACE = "r.race_id = %s and r.account_id = %s"
# Columns that SQLite returns as text or numbers.
_TIMES_LITE = (10, 11, 12, 13, 18, 27)
_BOOLEANS_LITE, _DATE_LITE = (17, 21, 23), 19

# --- Writing: the parts that several statements share ---------------------------------

_POSITION = (
    '"index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,'
    " by_program = by_program or %s"
)
_MOVED_PG = "moved_at = greatest(clock_timestamp(), moved_at)"
_ENDED_PG = """(moved_at, finished_at) = (
            select t, t from greatest(clock_timestamp(), moved_at) t
        )"""
_OPEN_PG = """snapshot = %s and status = 'playing'
        and (deadline_at is null or deadline_at > clock_timestamp())"""
_RACE_OPEN_PG = """snapshot = %s and status = 'playing' and exists (
            select 1 from game_race g
            where g.id = game_run.race_id and g.deadline_at > clock_timestamp()
        )"""
_MOVE_PG = """insert into game_move (run_id, "index", code, key, at)
    select id, %s, %s, %s, moved_at from r"""

# --- PostgreSQL: a run without a race -------------------------------------------------

_WRITE_PG = f"""
with r as (
    update game_run set {_POSITION}, {_MOVED_PG}
    where id = %s and "index" = %s and {_OPEN_PG}
    returning id, moved_at
)
{_MOVE_PG}
returning at
"""
_END_ANY_PG = f"""
with {{hold}}r as (
    update game_run set {_POSITION}, {_ENDED_PG}
    {{held}}where game_run.id = %s and "index" = %s and {_OPEN_PG}
    returning game_run.id, moved_at, dungeon_id
), d as (
    update game_dungeon set revealed_at = coalesce(revealed_at, r.moved_at) from r
    where game_dungeon.id = r.dungeon_id and game_dungeon.origin = 'practice'
)
{_MOVE_PG}
returning at
"""
_END_PG = _END_ANY_PG.format(hold="", held="")
# Locks the daily's row, so that its board cannot be settled without this result.
_END_DAILY_PG = _END_ANY_PG.format(
    hold="""y as materialized (
    select id from game_daily
    where id = (select daily_id from game_run where id = %s) and settled_at is null
    for share
), """,
    held="from y ",
)

# --- PostgreSQL: a run in a race ------------------------------------------------------

_WRITE_RACE_PG = f"""
with r as (
    update game_run set {_POSITION}, {_MOVED_PG}
    where id = %s and "index" = %s and {_RACE_OPEN_PG}
    returning id, moved_at, race_id
), m as (
    {_MOVE_PG}
), g as (
    update game_race set seq = seq + 1 from r where game_race.id = r.race_id
    returning game_race.id, seq
)
insert into game_raceevent (race_id, seq, kind, at, seat, needs, body)
select g.id, g.seq, 'moved', r.moved_at, %s, %s, %s from g, r
returning at, seq
"""
_END_RACE_PG = f"""
with r as (
    update game_run set {_POSITION}, {_ENDED_PG}
    where id = %s and "index" = %s and {_RACE_OPEN_PG}
    returning id, moved_at, race_id
), m as (
    {_MOVE_PG}
), g as (
    update game_race set
        seq = seq + 1,
        -- The run's time is ahead of the clock if that was set back.
        due_at = least(due_at, r.moved_at, clock_timestamp()),
        deadline_at = case
            when format = 'speed' then least(deadline_at, r.moved_at + interval '180 s')
            else deadline_at
        end
    from r where game_race.id = r.race_id
    returning game_race.id, seq, deadline_at
)
insert into game_raceevent (race_id, seq, kind, at, seat, needs, body, deadline_at)
select g.id, g.seq, 'moved', r.moved_at, %s, %s, %s, g.deadline_at from g, r
returning at, seq
"""

# --- SQLite: one writer at a time, so a transaction needs no row locks ----------------

_NOW_LITE = NOW_SQL["sqlite"]
_OPEN_LITE = f"snapshot = %s and (deadline_at is null or deadline_at > {_NOW_LITE})"
_DAILY_OPEN_LITE = f"""{_OPEN_LITE}
    and daily_id in (select id from game_daily where settled_at is null)"""
_RACE_OPEN_LITE = f"""snapshot = %s and exists (
        select 1 from game_race g
        where g.id = game_run.race_id and g.deadline_at > {_NOW_LITE}
    )"""
# 'now' is the same instant throughout a statement.
_FINISHED_LITE = f", finished_at = max({_NOW_LITE}, moved_at)"
_UPDATE_LITE = f"""
update game_run set {_POSITION}, moved_at = max({_NOW_LITE}, moved_at){{finished}}
where id = %s and "index" = %s and status = 'playing' and {{open}}
returning moved_at, race_id
"""
_WRITE_LITE = _UPDATE_LITE.format(finished="", open=_OPEN_LITE)
_END_LITE = _UPDATE_LITE.format(finished=_FINISHED_LITE, open=_OPEN_LITE)
_END_DAILY_LITE = _UPDATE_LITE.format(finished=_FINISHED_LITE, open=_DAILY_OPEN_LITE)
_WRITE_RACE_LITE = _UPDATE_LITE.format(finished="", open=_RACE_OPEN_LITE)
_END_RACE_LITE = _UPDATE_LITE.format(finished=_FINISHED_LITE, open=_RACE_OPEN_LITE)
_MOVE_LITE = (
    'insert into game_move (run_id, "index", code, key, at) values (%s, %s, %s, %s, %s)'
)
_REVEAL_LITE = """
update game_dungeon set revealed_at = coalesce(revealed_at, %s)
where origin = 'practice'
    and id = (select dungeon_id from game_run where id = %s)
"""
_RACE_LITE = """
update game_race set seq = seq + 1 where id = %s
returning seq, format, deadline_at, due_at
"""
_RACE_DUE_LITE = "update game_race set deadline_at = %s, due_at = %s where id = %s"
_EVENT_LITE = """
insert into game_raceevent
    (race_id, seq, kind, at, seat, needs, body, deadline_at)
values (%s, %s, 'moved', %s, %s, %s, %s, %s)
"""


class MoveRead(NamedTuple):
    """The run, and what its idempotency key was used for.

    `seat` is the run's seat if it belongs to a race. `key_index` and `key_code` are the
    move that has the request's key already. `now` is the database's time.
    """

    row: RunRow
    seat: int | None
    key_index: int | None
    key_code: str | None
    now: datetime


class RaceWrite(NamedTuple):
    """The race event of a move.

    `needs` is how many cards a viewer must have been dealt to see it; `body` is JSON.
    """

    seat: int
    needs: int
    body: str


class MoveWrite(NamedTuple):
    """A move to record, with the run's columns after it.

    `before` is the snapshot that the move was computed from. The move is recorded only
    if the run still has it: after an undo it may be at the same index elsewhere.
    `by_program`: it was sent with a token, which marks the run.
    """

    run_id: str
    index: int  # type: ignore[assignment]  # hides tuple.index
    code: str
    key: str | None
    snapshot: str
    status: str
    health: int
    faced: int
    score: int | None
    before: str
    by_program: bool = False
    is_daily: bool = False
    event: RaceWrite | None = None

    @property
    def is_end(self) -> bool:
        """Whether the move ends the run."""
        return self.status != "playing"

    def changes(self) -> tuple[Any, ...]:
        """The values of an update of the run: its new columns, then the old row's."""
        return (
            *(self.index + 1, self.snapshot, self.status),
            *(self.health, self.faced, self.score, self.by_program),
            *(self.run_id, self.index, self.before),
        )


class MoveResult(NamedTuple):
    """When the move was recorded; in a race also the number of its event.

    `event` is that event, unless the move ended the run.
    """

    at: datetime
    seq: int | None = None
    event: EventRow | None = None


def move_read(run_id: str, key: str | None) -> MoveRead | None:
    """Read a run and the move that has the key; None if there is no such run."""
    return _read(_BY_RUN, (key, run_id))


def move_read_in_race(
    race_id: str, account_id: str, key: str | None
) -> MoveRead | None:
    """Read an account's run in a race, as `move_read` does."""
    return _read(_BY_RACE, (key, race_id, account_id))


def _read(condition: str, values: tuple[str | None, ...]) -> MoveRead | None:
    row = one_row(_READS[connection.vendor] + condition, values)
    if row is None:
        return None
    columns: list[Any] = list(row)
    if connection.vendor == "sqlite":
        for at in _TIMES_LITE:
            columns[at] = as_utc(columns[at])
        for flag in _BOOLEANS_LITE:
            columns[flag] = bool(columns[flag])
        columns[_DATE_LITE] = _date(columns[_DATE_LITE])
    width = len(RunRow._fields)
    return MoveRead(RunRow(*columns[:width]), *columns[width:])


def _date(value: Any) -> date | None:
    return parse_date(value) if isinstance(value, str) else value


def move_write(write: MoveWrite) -> MoveResult | None:
    """Record a move, or return None if the run has changed or its deadline has passed.

    Raises IntegrityError if the run already has a move with that index or key.
    """
    if connection.vendor == "sqlite":
        return _write_lite(write)
    changes, move = write.changes(), (write.index, write.code, write.key)
    if write.event is not None:
        statement = _END_RACE_PG if write.is_end else _WRITE_RACE_PG
        row = one_row(statement, (*changes, *move, *write.event))
        return _done(write, row[0], row[1]) if row else None
    if not write.is_end:
        row = one_row(_WRITE_PG, (*changes, *move))
    elif write.is_daily:
        row = one_row(_END_DAILY_PG, (write.run_id, *changes, *move))
    else:
        row = one_row(_END_PG, (*changes, *move))
    return MoveResult(row[0]) if row else None


def _done(write: MoveWrite, at: datetime, seq: int) -> MoveResult:
    assert write.event is not None
    if write.is_end:
        return MoveResult(at, seq)
    return MoveResult(at, seq, EventRow(seq, "moved", at, *write.event, None, None))


def _write_lite(write: MoveWrite) -> MoveResult | None:
    changes, event = write.changes(), write.event
    if event is not None:
        statement = _END_RACE_LITE if write.is_end else _WRITE_RACE_LITE
    elif not write.is_end:
        statement = _WRITE_LITE
    else:
        statement = _END_DAILY_LITE if write.is_daily else _END_LITE
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, changes)
        row = cursor.fetchone()
        if row is None:
            return None
        at, race_id = as_utc(row[0]), row[1]
        assert at is not None
        text = as_sqlite_text(at)
        move = (write.index, write.code, write.key)
        cursor.execute(_MOVE_LITE, (write.run_id, *move, text))
        if event is None:
            if write.is_end:
                cursor.execute(_REVEAL_LITE, (text, write.run_id))
            return MoveResult(at)
        seq, deadline = _advance_race_lite(cursor, race_id, at, is_end=write.is_end)
        cursor.execute(_EVENT_LITE, (race_id, seq, text, *event, deadline))
    return _done(write, at, seq)


def _advance_race_lite(
    cursor: Any, race_id: str, at: datetime, *, is_end: bool
) -> tuple[int, str | None]:
    """Increase the race's counter; return it, and the deadline if a run ended."""
    cursor.execute(_RACE_LITE, (race_id,))
    seq, form, deadline_at, due_at = cursor.fetchone()
    if not is_end:
        return seq, None
    deadline, due = as_utc(deadline_at), as_utc(due_at)
    assert deadline is not None
    deadline = grace_deadline(Format(form), deadline, at)
    # The run's time is ahead of the clock if that was set back.
    at = min(at, database_now())
    soonest = min(due, at) if due else at
    cursor.execute(
        _RACE_DUE_LITE, (as_sqlite_text(deadline), as_sqlite_text(soonest), race_id)
    )
    return seq, as_sqlite_text(deadline)
