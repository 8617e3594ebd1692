"""The commands of entrants, applied to a race as a value.

`apply_command(race, command, at)` returns the race after the command and its events, or
raises RaceRefusal. Services check what needs the database: restrictions, dungeons,
other races.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from game.contest.errors import RaceRefusal
from game.contest.events import Event, EventKind, Transition
from game.contest.race import (
    COUNTDOWN,
    FORFEIT_DELAY,
    MIN_ENTRANTS,
    EntrantFacts,
    EntrantKind,
    RaceFacts,
    RacePhase,
    grace_deadline,
    race_phase,
    shown_kind,
    truncate_to_ms,
)
from game.contest.rated_terms import require_rated_size


class Join(NamedTuple):
    """Take a seat. The server's bots and ghosts are ready at once.

    `by_program`: the account is a bot's.
    """

    account: str
    pool: str = ""
    kind: EntrantKind = EntrantKind.PLAYER
    by_program: bool = False


class Leave(NamedTuple):
    """Give up a seat before the start."""

    account: str


class Ready(NamedTuple):
    """Mark as ready; when all entrants are, the countdown begins."""

    account: str


class Unready(NamedTuple):
    """Mark as not ready."""

    account: str


class Start(NamedTuple):
    """Begin the countdown, as the host."""

    account: str


class Forfeit(NamedTuple):
    """Give up; takes effect after five seconds."""

    account: str


class CancelForfeit(NamedTuple):
    """Cancel a forfeit before it takes effect."""

    account: str


class EndRun(NamedTuple):
    """End the account's run by a move: `status` is cleared or died."""

    account: str
    status: str


Command = Join | Leave | Ready | Unready | Start | Forfeit | CancelForfeit | EndRun


def apply_command(race: RaceFacts, command: Command, at: datetime) -> Transition:
    """The race after the command and its events. Raises RaceRefusal."""
    return _HANDLERS[type(command)](race, command, at)


def _join(race: RaceFacts, command: Join, at: datetime) -> Transition:
    _require_phase(race, at, RacePhase.OPEN)
    known = race.entrant(command.account)
    if known is not None and not known.left and command.kind is not EntrantKind.GHOST:
        raise RaceRefusal("race.already_joined", "You are in this race already.")
    if len(race.active) >= race.seats:
        raise RaceRefusal(
            "race.full", "Every seat of this race is taken.", {"seats": race.seats}
        )
    _require_rateable(race, command)
    ready = command.kind is not EntrantKind.PLAYER
    if known is not None and command.kind is not EntrantKind.GHOST:
        seated = replace(known, left=False, ready=ready, pool=command.pool)
        after = race.with_entrant(seated)
    else:
        seat = len(race.entrants) + 1
        seated = EntrantFacts(
            command.account, seat, command.kind, command.pool, ready=ready
        )
        after = replace(race, entrants=(*race.entrants, seated))
    kind = shown_kind(command.kind, by_program=command.by_program)
    body = {"entrant": {"kind": str(kind), "state": str(seated.state)}}
    return Transition(after, (Event(EventKind.JOINED, seated.seat, body),))


def _require_rateable(race: RaceFacts, command: Join) -> None:
    if not race.rated:
        return
    if not command.pool:
        raise RaceRefusal(
            "race.rated_needs_account",
            "Rated races are for signed-up accounts; guests and bots can join unrated"
            " races.",
        )
    if any(entrant.pool != command.pool for entrant in race.active):
        raise RaceRefusal(
            "race.rated_one_pool",
            "A rated race is either for people or for API bots, not for both.",
        )


def _leave(race: RaceFacts, command: Leave, at: datetime) -> Transition:
    _require_phase(race, at, RacePhase.OPEN, RacePhase.COUNTDOWN)
    gone = _require_entrant(race, command.account)
    return _remove(race, (gone,), "left", at)


def _remove(
    race: RaceFacts, gone: tuple[EntrantFacts, ...], reason: str, at: datetime
) -> Transition:
    """The race without them; a leaving host is replaced by the next player.

    A race without any player left is cancelled.
    """
    events = []
    for entrant in gone:
        race = race.with_entrant(replace(entrant, left=True, ready=False))
        people = [one for one in race.active if one.kind is EntrantKind.PLAYER]
        if people and race.host not in {one.account for one in people}:
            race = replace(race, host=people[0].account)
        host = race.entrant(race.host)
        body: dict[str, Any] = {"reason": reason}
        if host is not None:
            body["host_seat"] = host.seat
        events.append(Event(EventKind.LEFT, entrant.seat, body))
    if not any(one.kind is EntrantKind.PLAYER for one in race.active):
        race = replace(race, cancelled_at=at)
        events.append(Event(EventKind.CANCELLED, None, {"reason": "empty"}))
    return Transition(race, tuple(events))


def remove_entrants(
    race: RaceFacts, seats: frozenset[int], reason: str, at: datetime
) -> Transition:
    """The race without those seats, for entrants whom a service found ineligible."""
    return _remove(
        race, tuple(one for one in race.active if one.seat in seats), reason, at
    )


def _ready(race: RaceFacts, command: Ready, at: datetime) -> Transition:
    _require_phase(race, at, RacePhase.OPEN)
    entrant = _require_entrant(race, command.account)
    if entrant.ready:
        return Transition(race, ())
    race = race.with_entrant(replace(entrant, ready=True))
    events: tuple[Event, ...] = (Event(EventKind.READIED, entrant.seat),)
    if len(race.active) >= MIN_ENTRANTS and all(one.ready for one in race.active):
        race, begun = begin_countdown(race, at)
        events += begun
    return Transition(race, events)


def _unready(race: RaceFacts, command: Unready, at: datetime) -> Transition:
    _require_phase(race, at, RacePhase.OPEN)
    entrant = _require_entrant(race, command.account)
    if not entrant.ready:
        return Transition(race, ())
    after = race.with_entrant(replace(entrant, ready=False))
    return Transition(after, (Event(EventKind.UNREADIED, entrant.seat),))


def _start(race: RaceFacts, command: Start, at: datetime) -> Transition:
    if race_phase(race, at) is RacePhase.COUNTDOWN and command.account == race.host:
        return Transition(race, ())
    _require_phase(race, at, RacePhase.OPEN)
    host = _require_entrant(race, command.account)
    if command.account != race.host:
        raise RaceRefusal("race.not_host", "Only the host can start the race.")
    # A rating change needs consent: a rated race starts without those not ready.
    unready = [one for one in race.active if not one.ready and one is not host]
    staying = len(race.active) - (len(unready) if race.rated else 0)
    if staying < MIN_ENTRANTS:
        raise RaceRefusal(
            "race.too_few",
            "A rated race needs two entrants who are ready."
            if race.rated
            else "A race needs two entrants.",
            {"entrants": staying},
        )
    events: tuple[Event, ...] = ()
    if race.rated and unready:
        race, events = _remove(race, tuple(unready), "not_ready", at)
    race, begun = begin_countdown(race, at)
    return Transition(race, events + begun)


def begin_countdown(race: RaceFacts, at: datetime) -> Transition:
    """The race with its start fixed: five seconds from now, in whole milliseconds.

    Raises race.rated_two_seats.
    """
    if race.rated:
        require_rated_size(len(race.active), paired=race.paired)
    starts_at = truncate_to_ms(at) + COUNTDOWN
    after = replace(race, starts_at=starts_at, deadline_at=starts_at + race.time_limit)
    return Transition(after, (Event(EventKind.COUNTDOWN_BEGUN),))


def _forfeit(race: RaceFacts, command: Forfeit, at: datetime) -> Transition:
    entrant = _require_racing(race, command.account, at)
    if entrant.forfeits_at is not None:
        return Transition(race, ())
    until = truncate_to_ms(at) + FORFEIT_DELAY
    after = race.with_entrant(replace(entrant, forfeits_at=until))
    body = {"until": until}
    return Transition(after, (Event(EventKind.FORFEITING, entrant.seat, body),))


def _cancel_forfeit(
    race: RaceFacts, command: CancelForfeit, at: datetime
) -> Transition:
    entrant = _require_racing(race, command.account, at)
    if entrant.forfeits_at is None:
        return Transition(race, ())
    if at >= entrant.forfeits_at:
        raise RaceRefusal(
            "race.take_back_too_late", "A forfeit can be cancelled for five seconds."
        )
    after = race.with_entrant(replace(entrant, forfeits_at=None))
    return Transition(after, (Event(EventKind.FORFEIT_TAKEN_BACK, entrant.seat),))


def _end_run(race: RaceFacts, command: EndRun, at: datetime) -> Transition:
    entrant = _require_racing(race, command.account, at)
    race = race.with_entrant(
        replace(entrant, status=command.status, moves=entrant.moves + 1, ended_at=at)
    )
    assert race.deadline_at is not None
    race = replace(race, deadline_at=grace_deadline(race.format, race.deadline_at, at))
    body = {"state": command.status}
    return Transition(
        race,
        (Event(EventKind.MOVED, entrant.seat, body, deadline_at=race.deadline_at),),
    )


def _require_phase(race: RaceFacts, at: datetime, *allowed: RacePhase) -> None:
    now = race_phase(race, at)
    if now not in allowed:
        raise RaceRefusal(
            "race.wrong_phase",
            f"This is not possible while the race is {now}.",
            {"phase": str(now), "allowed": [str(one) for one in allowed]},
        )


def _require_entrant(race: RaceFacts, account: str) -> EntrantFacts:
    found = race.entrant(account)
    if found is None or found.left:
        raise RaceRefusal("race.not_entrant", "You are not in this race.")
    return found


def _require_racing(race: RaceFacts, account: str, at: datetime) -> EntrantFacts:
    _require_phase(race, at, RacePhase.RUNNING)
    entrant = _require_entrant(race, account)
    if entrant.status is not None and not entrant.playing:
        raise RaceRefusal("race.already_over", "Your run in this race is over.")
    return entrant


_HANDLERS: dict[type, Callable[[RaceFacts, Any, datetime], Transition]] = {
    Join: _join,
    Leave: _leave,
    Ready: _ready,
    Unready: _unready,
    Start: _start,
    Forfeit: _forfeit,
    CancelForfeit: _cancel_forfeit,
    EndRun: _end_run,
}
