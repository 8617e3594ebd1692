"""Carries out what time has done to races. Whoever comes by first does it.

Each transition is a transaction of its own under the race's lock, derived anew from
what is found there, so that it makes no difference how many come at once.
"""

from datetime import datetime

import structlog
from django.db import InterfaceError, OperationalError, connection, transaction

from game.contest.race import next_due_at
from game.contest.timed_transitions import is_overdue, next_transition
from game.models import Race
from game.selectors.core.prepared_statements import one_row
from game.selectors.races.tables import race_table
from game.services.core.database_time import as_lite
from game.services.core.retry import retry_transaction
from game.services.races.effects import carried_out
from game.services.races.locking import (
    engagements_hold,
    race_lock,
    race_write,
    runs_lock,
)

log = structlog.get_logger(__name__)

_DUE = "select 1 from game_race where id = %s and due_at <= %s"
# start, up to eight ends, close, settle: more in a row would be a fault.
_MOST_STEPS = 12


def race_due(race_id: str, *, at: datetime) -> int:
    """Carry out whatever is overdue in a race; how many transitions that were.

    Costs one small statement where nothing is. A race that is not there has nothing.
    """
    if one_row(_DUE, (race_id, _moment(at))) is None or _looked_at(race_id, at):
        return 0
    done = 0
    while done < _MOST_STEPS:
        came, due_at = _step(race_id, at)
        done += came
        if not came or due_at is None or at < due_at:
            break
    return done


def _moment(at: datetime) -> datetime | str:
    return as_lite(at) if connection.vendor == "sqlite" else at


def _looked_at(race_id: str, at: datetime) -> bool:
    """Whether there was nothing to do but to look; then it says when to look again.

    Each end of a run makes its race due, though most often the others still play. So
    this asks without the lock, and counts only if nothing happened in between.
    """
    table = race_table(race_id)
    if table is None:
        return True
    facts = table.facts
    if is_overdue(facts, at) or not engagements_hold(table):
        return False
    same = Race.objects.filter(id=race_id, seq=table.race.seq, due_at=table.race.due_at)
    return bool(same.update(due_at=next_due_at(facts)))


def race_due_soon(race_id: str, *, at: datetime) -> None:
    """The same, where failing must not matter: it stays due, and others come by."""
    try:
        race_due(race_id, at=at)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()


def races_due(*, at: datetime, most: int = 200) -> int:
    """The same for every race that is due; how many transitions.

    Raises ExceptionGroup of what failed, after the other races have been seen to.
    """
    due_now = Race.objects.filter(due_at__lte=at).order_by("due_at")
    done, failures = 0, []
    for race_id in list(due_now.values_list("id", flat=True)[:most]):
        try:
            done += race_due(race_id, at=at)
        except Exception as error:  # logged and raised below: one must not stop all
            log.exception("race_due_failed", race=race_id)
            failures.append(error)
    if failures:
        raise ExceptionGroup("Some races that were due failed.", failures)
    return done


@retry_transaction
@transaction.atomic
def _step(race_id: str, at: datetime) -> tuple[bool, datetime | None]:
    """The first overdue transition: whether there was one (any more), and when the
    race is due again.
    """
    runs_lock(race_id)
    work = race_lock(race_id)
    decision = next_transition(work.facts, at)
    if decision is None:
        race_write(work, work.facts, (), at)
        return False, work.race.due_at
    after = decision.race
    events = tuple(
        carried_out(work, after, happened, at) for happened in decision.events
    )
    race_write(work, after, events, at)
    return True, work.race.due_at
