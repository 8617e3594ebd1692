"""Timed transitions of a race: expiry, start, forfeits, deadline, close, settlement.

`services/races/timeouts` applies them. Each depends only on the race and the time, so
it does not matter which process applies it, how late or how often.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from game.contest.events import Event, EventKind, Transition
from game.contest.race import (
    COUNTDOWN,
    MIN_ENTRANTS,
    RaceFacts,
    RacePhase,
    next_due_at,
    race_phase,
    seat_release_at,
    truncate_to_ms,
)
from game.contest.rated_terms import require_rated_size
from game.contest.removal import remove_entrants

# Clocks of two machines differ by less.
CLOCK_SLACK: Final = timedelta(seconds=10)


def next_transition(race: RaceFacts, at: datetime) -> Transition | None:
    """The first overdue transition, or None.

    Call it again with the resulting race until it returns None: open -> seats released,
    cancelled; countdown -> started or cancelled; running -> runs ended by forfeit or
    deadline, closed; closed -> settled.
    """
    when = next_due_at(race)
    if when is None or not is_overdue(race, at):
        return None
    if race.closed_at is not None:
        # Settled when it is written, not when it was due: the rating ledger is in
        # this order.
        return Transition(replace(race, settled_at=at), (Event(EventKind.SETTLED),))
    if race.starts_at is None:
        if when < race.expires_at:
            return _release_seats(race, when)
        return _cancel(race, "expired", race.expires_at)
    if race.started_at is None:
        return _start(race, race.starts_at)
    if race.is_played_out:
        event = Event(EventKind.CLOSED, at=when)
        return Transition(replace(race, closed_at=when), (event,))
    return end_runs(race, at)


def after_clock_set_back(race: RaceFacts, at: datetime) -> Transition | None:
    """The race with its times brought forward if the clock was set back; else None.

    A countdown lasts five seconds and a race at most its limit; more time left than
    that comes from a clock that has been set back since. A race that started after the
    clock's new time keeps its deadline: its moves may lie between the two.
    """
    if race.starts_at is None or race.deadline_at is None or race.closed_at is not None:
        return None
    if race.cancelled_at is not None:
        return None
    if race.started_at is None:
        if race.starts_at <= at + COUNTDOWN + CLOCK_SLACK:
            return None
        return begin_countdown(race, at)
    if at < race.starts_at or race.deadline_at <= at + race.time_limit + CLOCK_SLACK:
        return None
    after = replace(race, deadline_at=truncate_to_ms(at + race.time_limit))
    body = {"outage_ms": 0, "rated": race.rated}
    return Transition(
        after, (Event(EventKind.OUTAGE, None, body, deadline_at=after.deadline_at),)
    )


def begin_countdown(race: RaceFacts, at: datetime) -> Transition:
    """The race with its start fixed: five seconds from now, in whole milliseconds.

    Raises race.rated_two_seats.
    """
    if race.rated:
        require_rated_size(len(race.active), is_paired=race.is_paired)
    starts_at = truncate_to_ms(at) + COUNTDOWN
    after = replace(race, starts_at=starts_at, deadline_at=starts_at + race.time_limit)
    return Transition(after, (Event(EventKind.COUNTDOWN_BEGUN),))


def is_overdue(race: RaceFacts, at: datetime) -> bool:
    """Whether a timed transition is due.

    Once all runs are over there is nothing to wait for, even if the clock was set back
    after they ended.
    """
    when = next_due_at(race)
    return when is not None and (when <= at or race.is_played_out)


def _start(race: RaceFacts, starts_at: datetime) -> Transition:
    """Start the runs at `starts_at`; cancel if too few entrants remain."""
    if len(race.active) < MIN_ENTRANTS:
        return _cancel(race, "too_few", starts_at)
    race = replace(
        race,
        started_at=starts_at,
        entrants=tuple(
            entrant if entrant.has_left else replace(entrant, status="playing")
            for entrant in race.entrants
        ),
    )
    return Transition(race, (Event(EventKind.STARTED, at=starts_at),))


def _release_seats(race: RaceFacts, at: datetime) -> Transition:
    """Take the seats of a full public race from those who were not ready in time."""
    due = {entrant.seat: seat_release_at(race, entrant) for entrant in race.active}
    seats = frozenset(seat for seat, when in due.items() if when and when <= at)
    after, events = remove_entrants(race, seats, "idle", at)
    return Transition(after, tuple(event._replace(at=at) for event in events))


def _cancel(race: RaceFacts, reason: str, at: datetime) -> Transition:
    return Transition(
        replace(race, cancelled_at=at),
        (Event(EventKind.CANCELLED, None, {"reason": reason}, at=at),),
    )


def end_runs(race: RaceFacts, at: datetime) -> Transition:
    """End the runs whose forfeit took effect, and past the deadline all runs.

    A run ends at the time of the forfeit or deadline, not when this is called.
    """
    assert race.deadline_at is not None
    events: list[Event] = []
    for entrant in race.active:
        if not entrant.is_playing:
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
