"""Applies overdue timed transitions of races: start, forfeit, deadline, close, settle.

Reads, commands, moves and the tick call this. Each transition is one transaction under
the race's lock, computed from the state read there, so concurrent and late callers get
the same result.
"""

from datetime import datetime

import structlog
from django.db import InterfaceError, OperationalError, connection, transaction

from game.contest.outages import race_after_outage
from game.contest.race import next_due_at
from game.contest.timed_transitions import (
    CLOCK_SLACK,
    after_clock_set_back,
    is_overdue,
    next_transition,
)
from game.models import Race
from game.selectors.core.prepared_statements import one_row
from game.selectors.races.loading import race_facts, race_load
from game.services.core.database_time import as_sqlite_text, database_now
from game.services.core.retry import retry_transaction
from game.services.races.effects import apply_transition
from game.services.races.locking import (
    live_flags_match,
    race_lock,
    race_write,
    runs_lock,
)
from game.services.races.outages import race_next_outage
from game.services.runs.outages import site_is_up

log = structlog.get_logger(__name__)

_IS_DUE_SQL = "select 1 from game_race where id = %s and due_at <= %s"
# Start, up to eight ended runs, close, settle; more in a row would be a bug.
_MAX_STEPS = 12


def race_advance(race_id: str, *, at: datetime) -> int:
    """Apply all overdue transitions of a race; how many were applied.

    One small query if nothing is due. An unknown race has none. Nothing is applied
    while the site is down for players.
    """
    if one_row(_IS_DUE_SQL, (race_id, _time_parameter(at))) is None:
        return 0
    if not site_is_up(at=at) or _reschedule_if_not_due(race_id, at):
        return 0
    applied = 0
    while applied < _MAX_STEPS:
        was_applied, due_at = _apply_next_transition(race_id, at)
        applied += was_applied
        if not was_applied or due_at is None or at < due_at:
            break
    return applied


def _time_parameter(at: datetime) -> datetime | str:
    return as_sqlite_text(at) if connection.vendor == "sqlite" else at


def _reschedule_if_not_due(race_id: str, at: datetime) -> bool:
    """Correct `due_at` if the race has no overdue transition; whether that was done.

    The end of any run makes its race due, though usually others still play. This reads
    without the lock and writes only if the race has not changed since.
    """
    loaded = race_load(race_id)
    if loaded is None:
        return True
    if is_overdue(loaded.facts, at) or not live_flags_match(loaded):
        return False
    if race_next_outage(loaded.facts) is not None:
        return False
    race = loaded.race
    unchanged = Race.objects.filter(id=race_id, seq=race.seq, due_at=race.due_at)
    return bool(unchanged.update(due_at=next_due_at(loaded.facts)))


def race_try_advance(race_id: str, *, at: datetime) -> None:
    """`race_advance` for callers that must not fail: on a database error the race stays
    due and a later call applies its transitions.
    """
    try:
        race_advance(race_id, at=at)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()


def races_advance(*, at: datetime, most: int = 200) -> int:
    """`race_advance` for every race that is due; how many transitions were applied.

    An error in one race does not stop the others; raises an ExceptionGroup of all
    errors at the end.
    """
    applied, failures = _correct_times(at), []
    due = Race.objects.filter(due_at__lte=at).order_by("due_at")
    for race_id in list(due.values_list("id", flat=True)[:most]):
        try:
            applied += race_advance(race_id, at=at)
        except Exception as error:  # logged here and raised below
            log.exception("race_advance_failed", race=race_id)
            failures.append(error)
    if failures:
        raise ExceptionGroup("Some races could not be advanced.", failures)
    return applied


def _correct_times(at: datetime) -> int:
    """Bring the times of races forward after the clock was set back; how many.

    Only if the database's clock, which ends races, agrees: one machine with a slow
    clock must not shorten races.
    """
    live = Race.objects.filter(starts_at__isnull=False, due_at__gt=at + CLOCK_SLACK)
    suspects = [
        race.id for race in live if after_clock_set_back(race_facts(race, ()), at)
    ]
    if not suspects:
        return 0
    now = max(at, database_now())
    return sum(_correct_race(race_id, now) for race_id in suspects)


@retry_transaction
@transaction.atomic
def _correct_race(race_id: str, at: datetime) -> bool:
    locked = race_lock(race_id)
    transition = after_clock_set_back(locked.facts, at)
    if transition is None:
        return False
    apply_transition(locked, transition, at)
    return True


@retry_transaction
@transaction.atomic
def _apply_next_transition(race_id: str, at: datetime) -> tuple[bool, datetime | None]:
    """Apply the first overdue transition: (was one due, the next due time).

    Outages come first, since they move the deadline.
    """
    runs_lock(race_id)
    locked = race_lock(race_id)
    outage = race_next_outage(locked.facts)
    transition = (
        race_after_outage(locked.facts, outage)
        if outage is not None
        else next_transition(locked.facts, at)
    )
    if transition is None:
        # Another caller was first; store the due time and the entrants' flags.
        race_write(locked, locked.facts, (), at)
        return False, locked.race.due_at
    apply_transition(locked, transition, at)
    return True, locked.race.due_at
