"""The SQL of a race's move: what a move writes, and the race's next event with it.

On PostgreSQL one conditional statement: it locks the run, then the race (the order
everywhere), raises the race's counter under that lock and inserts the event with its
number, so that events are numbered in commit order. Nothing at all is written once the
run has moved on or the race's deadline has passed. A move that ends a run of a `speed`
race brings the deadline forward (`game.contest.race.grace_deadline` says the same) and
makes the race due at once.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction

from game.contest.race import Format, grace_deadline
from game.selectors.core.prepared_statements import one_row
from game.services.core.database_time import CLOCKS, as_lite, utc

_LIVE_PG = """exists (
        select 1 from game_race g
        where g.id = game_run.race_id and g.deadline_at > clock_timestamp()
    )"""
_WRITE_PG = f"""
with r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        moved_at = greatest(clock_timestamp(), moved_at)
    where id = %s and "index" = %s and snapshot = %s and status = 'playing'
        and {_LIVE_PG}
    returning id, moved_at, race_id
), m as (
    insert into game_move (run_id, "index", code, key, at)
    select id, %s, %s, %s, moved_at from r
), g as (
    update game_race set seq = seq + 1 from r where game_race.id = r.race_id
    returning game_race.id, seq
)
insert into game_raceevent (race_id, seq, kind, at, seat, needs, body)
select g.id, g.seq, 'moved', r.moved_at, %s, %s, %s from g, r
returning at, seq
"""
_END_PG = f"""
with r as (
    update game_run set
        "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
        (moved_at, finished_at) = (
            select t, t from greatest(clock_timestamp(), moved_at) t
        )
    where id = %s and "index" = %s and snapshot = %s and status = 'playing'
        and {_LIVE_PG}
    returning id, moved_at, race_id
), m as (
    insert into game_move (run_id, "index", code, key, at)
    select id, %s, %s, %s, moved_at from r
), g as (
    update game_race set
        seq = seq + 1,
        due_at = least(due_at, r.moved_at),
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
_NOW_LITE = CLOCKS["sqlite"]
_RUN_LITE = f"""
update game_run set
    "index" = %s, snapshot = %s, status = %s, health = %s, faced = %s, score = %s,
    moved_at = max({_NOW_LITE}, moved_at),
    finished_at = case when %s then max({_NOW_LITE}, moved_at) else null end
where id = %s and "index" = %s and snapshot = %s and status = 'playing' and exists (
    select 1 from game_race g
    where g.id = game_run.race_id and g.deadline_at > {_NOW_LITE}
)
returning moved_at, finished_at, race_id
"""
_EVEN_LITE = "update game_run set finished_at = moved_at where id = %s"
_MOVE_LITE = (
    'insert into game_move (run_id, "index", code, key, at) values (%s, %s, %s, %s, %s)'
)
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


class RaceWrite(NamedTuple):
    """The event of a move: whose seat, what one needs to see it, and its facts."""

    seat: int
    needs: int
    body: str


def race_move_write(
    event: RaceWrite, run: Sequence[Any], move: tuple[str, str | None], *, over: bool
) -> tuple[datetime, int] | None:
    """Record a race's move: (when, its event's number), or None: it came too late.

    `run`: index after, snapshot, status, health, faced, score, run id, index before,
    snapshot before.
    """
    write = _write_lite if connection.vendor == "sqlite" else _write_pg
    return write(event, run, move, over=over)


def _write_pg(
    event: RaceWrite, run: Sequence[Any], move: tuple[str, str | None], *, over: bool
) -> tuple[datetime, int] | None:
    found = one_row(_END_PG if over else _WRITE_PG, (*run, run[-2], *move, *event))
    return (found[0], found[1]) if found else None


def _write_lite(
    event: RaceWrite, run: Sequence[Any], move: tuple[str, str | None], *, over: bool
) -> tuple[datetime, int] | None:
    *after, run_id, index, before = run
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_RUN_LITE, (*after, over, run_id, index, before))
        found = cursor.fetchone()
        if found is None:
            return None
        at = utc(found[0])
        assert at is not None
        moment = as_lite(at)
        if over:
            cursor.execute(_EVEN_LITE, (run_id,))
        cursor.execute(_MOVE_LITE, (run_id, index, *move, moment))
        seq, deadline = _raise_lite(cursor, found[2], at, over=over)
        cursor.execute(_EVENT_LITE, (found[2], seq, moment, *event, deadline))
    return at, seq


def _raise_lite(
    cursor: Any, race_id: str, at: datetime, *, over: bool
) -> tuple[int, str | None]:
    """The race's next number, and its deadline where the move ended a run."""
    cursor.execute(_RACE_LITE, (race_id,))
    seq, form, deadline_at, due_at = cursor.fetchone()
    if not over:
        return seq, None
    deadline, due = utc(deadline_at), utc(due_at)
    assert deadline is not None
    deadline = grace_deadline(Format(form), deadline, at)
    soonest = min(due, at) if due else at
    cursor.execute(_RACE_DUE_LITE, (as_lite(deadline), as_lite(soonest), race_id))
    return seq, as_lite(deadline)
