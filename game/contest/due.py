"""What time does to a race by itself: one overdue transition after the other.

Whoever comes by first carries them out (`services.races_due`); since each is a function
of the race and the instant, it makes no difference who, how late or how often.
"""

from dataclasses import replace
from datetime import datetime

from game.contest.events import Decision, EventKind, Happened
from game.contest.race import FEWEST, Phase, RaceFacts, next_due, phase


def due(race: RaceFacts, at: datetime) -> Decision | None:
    """The first transition that is overdue at that instant, or None.

    Ask again with the answer until None: open -> cancelled; countdown -> started or
    cancelled; running -> somebody's pending forfeit, everybody's deadline, closed;
    closed -> settled.
    """
    when = next_due(race)
    if when is None or at < when:
        return None
    if race.closed_at is not None:
        # Settled when it is done, not when it was due: the ledger goes by this time.
        return Decision(replace(race, settled_at=at), (Happened(EventKind.SETTLED),))
    if race.starts_at is None:
        return _cancel(race, "expired", race.expires_at)
    if race.started_at is None:
        return _begin(race, race.starts_at)
    if race.all_over:
        closed = Happened(EventKind.CLOSED, at=when)
        return Decision(replace(race, closed_at=when), (closed,))
    return _break_off(race, at)


def overdue(race: RaceFacts, at: datetime) -> bool:
    """Whether anything is due at that instant."""
    when = next_due(race)
    return when is not None and when <= at


def _begin(race: RaceFacts, starts_at: datetime) -> Decision:
    """Deal the runs at the instant fixed beforehand; too few by then is the end."""
    if len(race.active) < FEWEST:
        return _cancel(race, "too_few", starts_at)
    race = replace(
        race,
        started_at=starts_at,
        entrants=tuple(
            one if one.left else replace(one, status="playing") for one in race.entrants
        ),
    )
    return Decision(race, (Happened(EventKind.STARTED, at=starts_at),))


def _cancel(race: RaceFacts, reason: str, at: datetime) -> Decision:
    return Decision(
        replace(race, cancelled_at=at),
        (Happened(EventKind.CANCELLED, None, {"reason": reason}, at=at),),
    )


def _break_off(race: RaceFacts, at: datetime) -> Decision:
    """End the runs whose forfeit is in force, and all of them past the deadline.

    A run ends at the instant that ended it, not when somebody noticed.
    """
    assert race.deadline_at is not None
    events: list[Happened] = []
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
        events.append(Happened(EventKind.ENDED, entrant.seat, body, at=ended.ended_at))
    assert phase(race, at) in (Phase.RUNNING, Phase.CLOSED)
    return Decision(race, tuple(events))
