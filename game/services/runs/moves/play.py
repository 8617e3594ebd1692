"""The one way in for a move: read, refuse or apply, record, answer.

`move_play` is synchronous and runs wherever a database connection is; entry points
that serve many clients run it in `game.services.core.executor`. A move is answered only
after it is committed. Design and figures: docs/architecture.md "A move".
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from django.db import (
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)

from game.contest.events import move_event_body
from game.models import Run
from game.rules import Effect, IllegalMove, State, apply, parse_move, score
from game.rules.effects import as_json
from game.rules.observation import faced_count, shown_count
from game.rules.snapshot import to_text
from game.rules.state import PLAYING
from game.selectors.races.snapshots import KnownEvent
from game.selectors.runs.runs import RunRow, run_show, state_of
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.executor import run_in_background
from game.services.core.failpoints import failpoint
from game.services.core.notify import race_changed
from game.services.races.timeouts import race_due, race_due_soon
from game.services.runs.dungeons import deck_open
from game.services.runs.moves.cache import KnownRun, known_runs
from game.services.runs.moves.idempotency import answered_before
from game.services.runs.moves.race_sql import RaceWrite
from game.services.runs.moves.sql import (
    MoveDone,
    MoveRead,
    MoveWrite,
    move_read,
    move_read_in_race,
    move_write,
)
from game.services.runs.runs import run_break_off, run_json, run_over, shown_seed

_TRIES = 5
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
# Serialization failure and deadlock: PostgreSQL asks for another try of the whole.
_TRY_AGAIN = {"40001", "40P01"}


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """A move somebody asks for. `key`, if given, names this asking for good.

    With `in_race` set, `run_id` is a race's id, and the account's run in it is meant.
    """

    account_id: str
    run_id: str
    index: int
    code: str
    key: str | None = None
    in_race: bool = False


def move_play(asked: MoveAsked) -> dict[str, Any]:
    """Play one move: {run, effects, replayed}, and in a race {seq} of its event.

    The same key and move again gets the first answer with `replayed` true. Raises
    MalformedMove, IllegalMove, run.not_found, run.over, run.stale_index (both carry the
    run), move.key_reused, move.outcome_unknown (send the same key again).
    """
    parse_move(asked.code)
    for last in (False,) * (_TRIES - 1) + (True,):
        try:
            answer = _play_once(asked)
        except (OperationalError, InterfaceError) as error:
            _recover(error, last=last)
            continue
        if answer is not None:
            failpoint("before_ack")
            return answer
    raise _unknown()


def _play_once(asked: MoveAsked) -> dict[str, Any] | None:
    """One reading and one conditional write; None where another writer came between.

    Where this process knows the run, the write alone.
    """
    who = (asked.run_id, asked.account_id)
    known = known_runs.at(who, asked.index) if asked.in_race else None
    if known is not None:
        known_runs.forget(who)  # until it is known again
        with suppress(IllegalMove):  # says who reads
            after, effects = apply(known.state, asked.code)
            guess = MoveRead(known.row, known.seat, None, None, known.row.moved_at)
            return _play_on(asked, guess, after, effects)
    read = _read(asked)
    row = read.row
    if read.key_index is not None:
        return answered_before(read, asked.index, asked.code)
    if row.status != Run.Status.PLAYING:
        raise run_over(run_json(row, at=read.now))
    if row.deadline_at is not None and row.deadline_at <= read.now:
        _expire(read)
    if asked.index != row.index:
        raise _stale(read)
    before = state_of(row, deck_open(row.dungeon_id, row.seed_sealed))
    after, effects = apply(before, asked.code)
    return _play_on(asked, read, after, effects)


def _play_on(
    asked: MoveAsked, read: MoveRead, after: State, effects: tuple[Effect, ...]
) -> dict[str, Any] | None:
    """Record what the move comes to, and answer."""
    row = read.row
    body = (
        move_event_body(after, asked.code, effects) if read.seat is not None else None
    )
    done = _record(asked, read, after, body)
    if done is None:
        return None
    at = done.at
    over = after.status != PLAYING
    moved = row._replace(
        index=after.index,
        snapshot=to_text(after),
        status=after.status,
        score=score(after),
        moved_at=at,
        finished_at=at if over else None,
        revealed_at=at if over and _reveals(row) else row.revealed_at,
    )
    shown = run_show(moved, after, at=at, seed=shown_seed(moved))
    answer = {
        "run": shown,
        "effects": [as_json(effect) for effect in effects],
        "replayed": False,
    }
    if row.race_id is None:
        return answer
    if read.seat is not None and not over:
        who = (row.race_id, row.account_id)
        known_runs.keep(who, KnownRun(moved, read.seat, after))
    return _tell(row.race_id, answer, done, body)


def _read(asked: MoveAsked) -> MoveRead:
    """The run that is meant. Raises run.not_found, also for somebody else's."""
    if asked.in_race:
        read = move_read_in_race(asked.run_id, asked.account_id, asked.key)
    else:
        read = move_read(asked.run_id, asked.key)
    if read is None or read.row.account_id != asked.account_id:
        raise not_found("run")
    return read


def _tell(
    race_id: str, answer: dict[str, Any], done: MoveDone, body: dict[str, Any] | None
) -> dict[str, Any]:
    """After the commit: the event's number, the doorbell, and what an end sets off."""
    assert done.seq is not None
    known = KnownEvent(done.event, body) if done.event and body else None
    race_changed(race_id, done.seq, known)
    if answer["run"]["status"] != Run.Status.PLAYING:
        run_in_background(lambda: race_due_soon(race_id, at=done.at))
    return {**answer, "seq": done.seq}


def _reveals(row: RunRow) -> bool:
    """Whether the run's end shows its dungeon: nobody else plays it."""
    return row.kind == Run.Kind.PRACTICE and row.daily is None


def _record(
    asked: MoveAsked, read: MoveRead, after: State, body: dict[str, Any] | None
) -> MoveDone | None:
    """Commit the move, in a race with its event's body; None where the run had moved on
    or the key was used.
    """
    event = None
    if read.seat is not None:
        event = RaceWrite(read.seat, shown_count(after), _dumps(body))
    write = MoveWrite(
        run_id=read.row.id,
        index=asked.index,
        code=asked.code,
        key=asked.key,
        snapshot=to_text(after),
        status=after.status,
        health=after.health,
        faced=faced_count(after),
        score=score(after),
        daily=read.row.kind == Run.Kind.DAILY,
        event=event,
        before=read.row.snapshot,
    )
    failpoint("before_lock")
    try:
        if not connection.in_atomic_block:
            done = move_write(write)
        else:  # somebody's own transaction outlives a key that was used before
            with transaction.atomic():
                done = move_write(write)
    except IntegrityError:
        return None
    failpoint("after_commit")
    return done


def _stale(read: MoveRead) -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT,
        "run.stale_index",
        f"The run stands at move {read.row.index}.",
        {"index": read.row.index},
        run=run_json(read.row, at=read.now),
    )


def _expire(read: MoveRead) -> NoReturn:
    """Whoever comes after the deadline finds the run ended by it."""
    row = read.row
    if row.race_id is not None:
        race_due(row.race_id, at=read.now)
    else:
        when = row.deadline_at or read.now
        run_break_off(run_id=row.id, how=Run.Status.EXPIRED, at=when)
    again = move_read(row.id, None)
    raise run_over(run_json(again.row if again else row, at=read.now))


def _recover(error: Exception, *, last: bool) -> None:
    """Make the connection fit for another try; refuse where the outcome is unknown.

    Trying again is safe with a key: a write that did land is found by it. Without one a
    landed write shows as a stale index, which carries the run.
    """
    if connection.in_atomic_block:
        raise error
    state = getattr(error.__cause__, "sqlstate", None)
    if state not in _TRY_AGAIN:
        connection.close()
    if last:
        raise _unknown() from error


def _unknown() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.UNAVAILABLE,
        "move.outcome_unknown",
        "The database did not answer. Send the same move with the same key again.",
        {"retry_after_ms": 1000},
    )
