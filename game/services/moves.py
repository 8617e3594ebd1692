"""The one way in for a move: read, refuse or apply, record, answer.

`move_play` is synchronous and runs wherever a database connection is; doors that serve
many at once send it through `game.services.lane`. A move is answered only after it is
committed. Design and figures: docs/architecture.md "A move".
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from django.db import (
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
)

from game.models import Move, Run
from game.rules import State, apply, parse_move, score
from game.rules.effects import as_json
from game.rules.observation import faced_count
from game.rules.replay import fold
from game.rules.rulesets import find_ruleset
from game.rules.snapshot import to_text
from game.rules.state import PLAYING
from game.selectors.runs import RunRow, run_show, state_of
from game.services.dungeons import deck_open
from game.services.errors import Kind, ServiceRefusal, not_found
from game.services.moves_sql import MoveRead, MoveWrite, move_read, move_write
from game.services.runs import run_break_off, run_json, run_over, shown_seed

_TRIES = 5
# Serialization failure and deadlock: PostgreSQL asks for another try of the whole.
_TRY_AGAIN = {"40001", "40P01"}


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """A move somebody asks for. `key`, if given, names this asking for good."""

    account_id: str
    run_id: str
    index: int
    code: str
    key: str | None = None


def move_play(asked: MoveAsked) -> dict[str, Any]:
    """Play one move: {run, effects, replayed}.

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
            return answer
    raise _unknown()


def _play_once(asked: MoveAsked) -> dict[str, Any] | None:
    """One reading and one conditional write; None where another writer came between."""
    read = move_read(asked.run_id, asked.key)
    if read is None or read.row.account_id != asked.account_id:
        raise not_found("run")
    row = read.row
    if read.key_index is not None:
        return _known_key(asked, read)
    if row.status != Run.Status.PLAYING:
        raise run_over(run_json(row, at=read.now))
    if row.deadline_at is not None and row.deadline_at <= read.now:
        _expire(read)
    if asked.index != row.index:
        raise _stale(read)
    before = state_of(row, deck_open(row.dungeon_id, row.seed_sealed))
    after, effects = apply(before, asked.code)
    at = _record(asked, after)
    if at is None:
        return None
    over = after.status != PLAYING
    moved = row._replace(
        index=after.index,
        status=after.status,
        score=score(after),
        moved_at=at,
        finished_at=at if over else None,
        revealed_at=at if over and row.kind == Run.Kind.PRACTICE else row.revealed_at,
    )
    shown = run_show(moved, after, at=at, seed=shown_seed(moved))
    return {
        "run": shown,
        "effects": [as_json(effect) for effect in effects],
        "replayed": False,
    }


def _record(asked: MoveAsked, after: State) -> datetime | None:
    """Commit the move; when, or None where the run had moved on or the key was used."""
    write = MoveWrite(
        run_id=asked.run_id,
        index=asked.index,
        code=asked.code,
        key=asked.key,
        snapshot=to_text(after),
        status=after.status,
        health=after.health,
        faced=faced_count(after),
        score=score(after),
    )
    try:
        return move_write(write)
    except IntegrityError:
        if connection.in_atomic_block:
            raise
        return None


def _known_key(asked: MoveAsked, read: MoveRead) -> dict[str, Any]:
    """The first answer again, folded from the moves up to the one that has the key."""
    if (asked.index, asked.code) != (read.key_index, read.key_code):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "move.key_reused",
            "That key already names another move of this run.",
            {"index": read.key_index, "move": read.key_code},
        )
    row = read.row
    stored = list(
        Move.objects.filter(run_id=row.id, index__lte=asked.index).order_by("index")
    )
    rules, deck = find_ruleset(row.ruleset), deck_open(row.dungeon_id, row.seed_sealed)
    before = fold(rules, deck, [move.code for move in stored[:-1]], row.difficulty)
    after, effects = apply(before, asked.code)
    then = _row_then(row, after.status, stored[-1])
    shown = run_show(then, after, at=stored[-1].at, seed=shown_seed(then))
    return {
        "run": shown,
        "effects": [as_json(effect) for effect in effects],
        "replayed": True,
    }


def _row_then(row: RunRow, status: str, move: Move) -> RunRow:
    """The run's row as it was when that move had just been answered."""
    over = status != Run.Status.PLAYING
    revealed = row.revealed_at
    if revealed is not None and revealed > move.at:
        revealed = None
    return row._replace(
        status=status,
        finished_at=move.at if over else None,
        revealed_at=revealed,
    )


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
    run_break_off(run_id=row.id, how=Run.Status.EXPIRED, at=row.deadline_at or read.now)
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
