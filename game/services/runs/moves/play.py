"""Plays moves: every move of every run goes through this module.

A move reads the run, is refused or applied by the rules, and is committed; then it is
answered. The functions are synchronous; entry points that serve many clients call them
in `game.services.core.executor`. Design and figures: docs/architecture.md "A move".
"""

from contextlib import nullcontext
from typing import Any, NamedTuple, cast

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
from game.selectors.core import wire
from game.selectors.races.loading import race_load
from game.selectors.races.snapshots import KnownEvent
from game.selectors.runs import schemas
from game.selectors.runs.runs import RunRow, run_show, run_state
from game.services.core.database_time import database_now
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.executor import run_in_background
from game.services.core.failpoints import failpoint
from game.services.core.notify import race_changed
from game.services.races.timeouts import race_advance, race_try_advance
from game.services.runs.dungeons import dungeon_deck, visible_seed
from game.services.runs.moves.cache import KnownRun, known_runs
from game.services.runs.moves.idempotency import first_answer
from game.services.runs.moves.sql import (
    MoveRead,
    MoveResult,
    MoveWrite,
    RaceWrite,
    move_read,
    move_read_in_race,
    move_write,
)
from game.services.runs.outages import site_is_up
from game.services.runs.runs import (
    run_expire,
    run_json,
    run_over_refusal,
)

_MAX_TRIES = 5
# Serialization failure and deadlock: the transaction failed, the connection is usable.
_CONFLICTS = {"40001", "40P01"}
# The constraints that a move violates when another request was faster: by name on
# PostgreSQL, by message on SQLite, whose errors do not contain the name.
_TAKEN = {
    *("move_once_an_index", "move_once_a_key"),
    "UNIQUE constraint failed: game_move.run_id, game_move.index",
    "UNIQUE constraint failed: game_move.run_id, game_move.key",
}


class _Request(NamedTuple):
    """A move that an account asks for, of a run or of its run in a race."""

    account_id: str
    run_id: str | None
    race_id: str | None
    index: int  # type: ignore[assignment]  # hides tuple.index
    code: str
    key: str | None
    by_program: bool


def move_play(
    *,
    account_id: str,
    run_id: str,
    index: int,
    code: str,
    key: str | None = None,
    by_program: bool = False,
) -> schemas.MoveAnswer:
    """Play one move of a run: {run, effects, replayed}, in a race also {seq}.

    `index` is the number of moves the client believes were played, `code` the move,
    `key` the client's idempotency key: the same key, index and code again returns the
    first answer with `replayed` true. `seq` is the number of the move's race event.
    `by_program`: it was sent with a token; then the run is ranked among bots.

    Raises MalformedMove, IllegalMove, run.not_found (also for another account's run),
    run.over and run.stale_index (both carry the run), move.key_reused, and
    move.outcome_unknown (the client should send the same key again).
    """
    return _play(_Request(account_id, run_id, None, index, code, key, by_program))


def race_move_play(
    *,
    account_id: str,
    race_id: str,
    index: int,
    code: str,
    key: str | None = None,
    by_program: bool = False,
) -> schemas.RaceMoveAnswer:
    """Play one move of the account's run in a race: {run, effects, replayed, seq}.

    Raises what `move_play` raises, and race.not_found, race.not_entrant and
    race.wrong_phase where the account has no run in that race.
    """
    request = _Request(account_id, None, race_id, index, code, key, by_program)
    try:
        return cast("schemas.RaceMoveAnswer", _play(request))
    except ServiceRefusal as refusal:
        if refusal.code != "run.not_found":
            raise
    # The start may be overdue, if nothing has advanced the race since.
    if race_advance(race_id, at=database_now()):
        try:
            return cast("schemas.RaceMoveAnswer", _play(request))
        except ServiceRefusal as refusal:
            if refusal.code != "run.not_found":
                raise
    raise _no_run_in_race(race_id, account_id)


def _play(request: _Request) -> schemas.MoveAnswer:
    """Try until the move is committed or refused, at most five times."""
    parse_move(request.code)
    for tries_left in reversed(range(_MAX_TRIES)):
        try:
            answer = _play_cached(request) or _play_read(request)
        except (OperationalError, InterfaceError) as error:
            _recover(error, is_last=tries_left == 0)
            continue
        if answer is not None:
            failpoint("before_ack")
            return answer
    raise _outcome_unknown()


def _play_cached(request: _Request) -> schemas.MoveAnswer | None:
    """Play from this process's cache without reading the run.

    None where the run is not cached, has changed since, or the move is illegal: then
    the run has to be read.
    """
    if request.race_id is None:
        return None
    who = (request.race_id, request.account_id)
    known = known_runs.at(who, request.index)
    if known is None:
        return None
    known_runs.forget(who)  # cached again once the move is committed
    try:
        after, effects = apply(known.state, request.code)
    except IllegalMove:
        return None
    return _commit(request, known.row, known.seat, after, effects)


def _play_read(request: _Request) -> schemas.MoveAnswer | None:
    """Read the run, then refuse the move or play it; None where the run has changed
    between the reading and the writing.
    """
    read = _read(request)
    row = read.row
    if read.key_index is not None:
        return first_answer(read, request.index, request.code)
    if row.status != Run.Status.PLAYING:
        raise run_over_refusal(run_json(row, at=read.now))
    if row.deadline_at is not None and row.deadline_at <= read.now and _expire(read):
        return None
    if request.index != row.index:
        raise _stale_index(read)
    before = run_state(row, dungeon_deck(row.dungeon_id, row.seed_sealed))
    after, effects = apply(before, request.code)
    return _commit(request, row, read.seat, after, effects)


def _read(request: _Request) -> MoveRead:
    if request.race_id is not None:
        read = move_read_in_race(request.race_id, request.account_id, request.key)
    else:
        assert request.run_id is not None
        read = move_read(request.run_id, request.key)
    if read is None or read.row.account_id != request.account_id:
        raise not_found("run")
    return read


def _commit(
    request: _Request,
    row: RunRow,
    seat: int | None,
    after: State,
    effects: tuple[Effect, ...],
) -> schemas.MoveAnswer | None:
    """Write the move, then answer it and notify; None where nothing was written because
    the run has changed or the key was used.
    """
    event = body = None
    if seat is not None:
        is_first = request.by_program and not row.by_program
        body = move_event_body(after, request.code, effects, shows_program=is_first)
        event = RaceWrite(seat, shown_count(after), wire.encode(body).decode())
    write = MoveWrite(
        run_id=row.id,
        index=request.index,
        code=request.code,
        key=request.key,
        snapshot=to_text(after),
        status=after.status,
        health=after.health,
        faced=faced_count(after),
        score=score(after),
        by_program=request.by_program,
        is_daily=row.kind == Run.Kind.DAILY,
        event=event,
        before=row.snapshot,
    )
    result = _write(write)
    if result is None:
        return None
    moved = _row_after(row, write, result)
    answer: schemas.MoveAnswer = {
        "run": run_show(moved, after, at=result.at, seed=visible_seed(moved)),
        "effects": [as_json(effect) for effect in effects],
        "replayed": False,
    }
    if seat is None or row.race_id is None:
        return answer
    if not write.is_end:
        known_runs.keep((row.race_id, row.account_id), KnownRun(moved, seat, after))
    _notify(row.race_id, result, body, is_end=write.is_end)
    assert result.seq is not None
    in_race: schemas.RaceMoveAnswer = {**answer, "seq": result.seq}
    return in_race


def _write(write: MoveWrite) -> MoveResult | None:
    failpoint("before_lock")
    # Inside a caller's transaction a savepoint keeps that usable after a violation.
    scope = transaction.atomic() if connection.in_atomic_block else nullcontext()
    try:
        with scope:
            result = move_write(write)
    except IntegrityError as error:
        if not _is_taken(error):
            raise
        return None
    failpoint("after_commit")
    return result


def _is_taken(error: IntegrityError) -> bool:
    """Whether the run already has a move with that index or key."""
    diagnostics = getattr(error.__cause__, "diag", None)
    if diagnostics is not None:
        return diagnostics.constraint_name in _TAKEN
    return str(error) in _TAKEN


def _row_after(row: RunRow, write: MoveWrite, result: MoveResult) -> RunRow:
    ended_at = result.at if write.is_end else None
    # A practice dungeon of the player's own is revealed when the run ends.
    is_own = row.kind == Run.Kind.PRACTICE and row.daily is None
    return row._replace(
        index=write.index + 1,
        snapshot=write.snapshot,
        status=write.status,
        score=write.score,
        moved_at=result.at,
        finished_at=ended_at,
        revealed_at=ended_at if ended_at and is_own else row.revealed_at,
        by_program=row.by_program or write.by_program,
    )


def _notify(
    race_id: str, result: MoveResult, body: dict[str, Any] | None, *, is_end: bool
) -> None:
    assert result.seq is not None
    event = KnownEvent(result.event, body) if result.event and body else None
    race_changed(race_id, result.seq, event)
    if is_end:
        # It may have been the last run of the race.
        run_in_background(lambda: race_try_advance(race_id, at=database_now()))


def _stale_index(read: MoveRead) -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT,
        "run.stale_index",
        f"The run is at move {read.row.index}.",
        {"index": read.row.index},
        run=run_json(read.row, at=read.now),
    )


def _expire(read: MoveRead) -> bool:
    """End a run that is past its deadline, and refuse the move.

    True if an outage has moved the deadline: the move can be tried again.
    """
    row = read.row
    if row.race_id is not None:
        race_advance(row.race_id, at=read.now)
    elif site_is_up(at=read.now):
        # Ends no run whose deadline was moved meanwhile.
        run_expire(row.id, at=read.now)
    again = move_read(row.id, None)
    if again is not None and again.row.status == Run.Status.PLAYING:
        deadline_at = again.row.deadline_at
        if deadline_at is None or deadline_at > again.now:
            return True
    raise run_over_refusal(run_json(again.row if again else row, at=read.now))


def _no_run_in_race(race_id: str, account_id: str) -> ServiceRefusal:
    table = race_load(race_id)
    if table is None:
        return not_found("race")
    if table.entrant(account_id) is None:
        return ServiceRefusal(
            Kind.FORBIDDEN, "race.not_entrant", "You are not in this race."
        )
    is_cancelled = table.race.cancelled_at is not None
    return ServiceRefusal(
        Kind.CONFLICT,
        "race.wrong_phase",
        "The race was cancelled." if is_cancelled else "The race has not begun.",
        {"allowed": ["running"]},
    )


def _recover(error: Exception, *, is_last: bool) -> None:
    """Prepare the connection for another try, or raise move.outcome_unknown.

    Another try is safe: if the failed one was committed after all, its key is found, or
    without a key the index is stale.
    """
    if connection.in_atomic_block:
        raise error
    state = getattr(error.__cause__, "sqlstate", None)
    if state not in _CONFLICTS:
        connection.close()
    if is_last:
        raise _outcome_unknown() from error


def _outcome_unknown() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.UNAVAILABLE,
        "move.outcome_unknown",
        "The database did not answer. Send the same move with the same key again.",
        {"retry_after_ms": 1000},
    )
