"""Timed transitions of a race: expiry, start, forfeits, deadline, close, settlement.

`services/races/timeouts` applies them. Each depends only on the race and the time, so
it does not matter which process applies it, how late or how often.
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
    """The first overdue transition, or None.

    Call it again with the resulting race until it returns None: open -> cancelled;
    countdown -> started or cancelled; running -> runs ended by forfeit or deadline,
    closed; closed -> settled.
    """
    when = next_due_at(race)
    if when is None or at < when:
        return None
    if race.closed_at is not None:
        # Settled when it is written, not when it was due: the rating ledger is in
        # this order.
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
    """Whether a timed transition is due."""
    when = next_due_at(race)
    return when is not None and when <= at


def _start(race: RaceFacts, starts_at: datetime) -> Transition:
    """Start the runs at `starts_at`; cancel if too few entrants remain."""
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
    """End the runs whose forfeit took effect, and past the deadline all runs.

    A run ends at the time of the forfeit or deadline, not when this is called.
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
