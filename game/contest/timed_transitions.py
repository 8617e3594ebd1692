"""What time does to a race by itself: one overdue transition after the other.

Whoever comes by first carries them out (`services.races_due`); since each is a function
of the race and the instant, it makes no difference who, how late or how often.
"""

from dataclasses import replace
from datetime import datetime

from game.contest.events import Event, EventKind, Transition
from game.contest.race import (
    MIN_ENTRANTS,
    RaceFacts,
    RacePhase,
    next_due_at,
    race_phase,
)


def next_transition(race: RaceFacts, at: datetime) -> Transition | None:
    """The first transition that is overdue at that instant, or None.

    Ask again with the answer until None: open -> cancelled; countdown -> started or
    cancelled; running -> somebody's pending forfeit, everybody's deadline, closed;
    closed -> settled.
    """
    when = next_due_at(race)
    if when is None or at < when:
        return None
    if race.closed_at is not None:
        # Settled when it is done, not when it was due: the ledger goes by this time.
        return Transition(replace(race, settled_at=at), (Event(EventKind.SETTLED),))
    if race.starts_at is None:
        return _cancel(race, "expired", race.expires_at)
    if race.started_at is None:
        return _start(race, race.starts_at)
    if race.all_over:
        closed = Event(EventKind.CLOSED, at=when)
        return Transition(replace(race, closed_at=when), (closed,))
    return _end_runs(race, at)


def is_overdue(race: RaceFacts, at: datetime) -> bool:
    """Whether anything is due at that instant."""
    when = next_due_at(race)
    return when is not None and when <= at


def _start(race: RaceFacts, starts_at: datetime) -> Transition:
    """Deal the runs at the instant fixed beforehand; too few by then is the end."""
    if len(race.active) < MIN_ENTRANTS:
        return _cancel(race, "too_few", starts_at)
    race = replace(
        race,
        started_at=starts_at,
        entrants=tuple(
            one if one.left else replace(one, status="playing") for one in race.entrants
        ),
    )
    return Transition(race, (Event(EventKind.STARTED, at=starts_at),))


def _cancel(race: RaceFacts, reason: str, at: datetime) -> Transition:
    return Transition(
        replace(race, cancelled_at=at),
        (Event(EventKind.CANCELLED, None, {"reason": reason}, at=at),),
    )


def _end_runs(race: RaceFacts, at: datetime) -> Transition:
    """End the runs whose forfeit is in force, and all of them past the deadline.

    A run ends at the instant that ended it, not when somebody noticed.
    """
    assert race.deadline_at is not None
    events: list[Event] = []
    for entrant in race.active:
        if not entrant.playing:
            continue
        forfeits_at = entrant.forfeits_at
        if forfeits_at is not None and forfeits_at <= min(at, race.deadline_at):
            ended = replace(entrant, status="forfeited", ended_at=forfeits_at)
        elif race.deadline_at <= at:
            ended = replace(entrant, status="expired", ended_at=race.deadline_at)
        else:
            continue
        race = race.with_entrant(ended)
        body = {"state": str(ended.state)}
        events.append(Event(EventKind.ENDED, entrant.seat, body, at=ended.ended_at))
    assert race_phase(race, at) in (RacePhase.RUNNING, RacePhase.CLOSED)
    return Transition(race, tuple(events))
