"""The commands of entrants, applied to a race as a value.

`apply_command(race, command, at)` returns the race after the command and its events, or
raises RaceRefusal. Services check what needs the database: restrictions, dungeons,
other races.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from game.contest.early_close import require_early_close
from game.contest.errors import RaceRefusal
from game.contest.events import Event, EventKind, Transition
from game.contest.race import (
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
from game.contest.removal import remove_entrants
from game.contest.requirements import (
    require_entrant,
    require_host,
    require_may_join,
    require_phase,
    require_racing,
    require_rateable,
)
from game.contest.timed_transitions import begin_countdown, end_runs


class Join(NamedTuple):
    """Take a seat. The server's bots and ghosts are ready at once.

    `by_program`: the account is a bot's. `is_invited`: a rematch takes the seat for the
    account, which has not been asked.
    """

    account: str
    pool: str = ""
    kind: EntrantKind = EntrantKind.PLAYER
    by_program: bool = False
    is_invited: bool = False


class Leave(NamedTuple):
    """Give up a seat before the start."""

    account: str


class Remove(NamedTuple):
    """Remove the entrant of a seat for the whole race, as the host."""

    account: str
    target: int


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


class CloseEarly(NamedTuple):
    """End the race now; see `early_close`. `gone_since` is by seat, None: present."""

    account: str
    gone_since: Mapping[int, datetime | None]


class EndRun(NamedTuple):
    """End the account's run by a move: `status` is cleared or died."""

    account: str
    status: str


Command = (
    Join
    | Leave
    | Remove
    | Ready
    | Unready
    | Start
    | Forfeit
    | CancelForfeit
    | CloseEarly
    | EndRun
)


def apply_command(race: RaceFacts, command: Command, at: datetime) -> Transition:
    """The race after the command and its events. Raises RaceRefusal."""
    return _HANDLERS[type(command)](race, command, at)


def _join(race: RaceFacts, command: Join, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.OPEN)
    known = race.entrant(command.account)
    if command.kind is EntrantKind.GHOST:
        known = None
    if known is not None and known.is_invited and not known.has_left:
        return Transition(race.with_entrant(replace(known, is_invited=False)), ())
    require_may_join(known)
    if len(race.active) >= race.seats:
        raise RaceRefusal(
            "race.full", "Every seat of this race is taken.", {"seats": race.seats}
        )
    require_rateable(race, command.pool)
    ready = command.kind is not EntrantKind.PLAYER
    seated = replace(
        known or EntrantFacts(command.account, len(race.entrants) + 1, command.kind),
        pool=command.pool,
        has_left=False,
        is_ready=ready,
        is_invited=command.is_invited,
        joined_at=at,
        unready_since=None if ready else at,
    )
    if known is not None:
        after = race.with_entrant(seated)
    else:
        after = replace(race, entrants=(*race.entrants, seated))
    kind = shown_kind(command.kind, by_program=command.by_program)
    body = {"entrant": {"kind": str(kind), "state": str(seated.state)}}
    return Transition(after, (Event(EventKind.JOINED, seated.seat, body),))


def _leave(race: RaceFacts, command: Leave, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.OPEN, RacePhase.COUNTDOWN)
    gone = require_entrant(race, command.account)
    return remove_entrants(race, frozenset({gone.seat}), "left", at)


def _remove(race: RaceFacts, command: Remove, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.OPEN)
    host = require_host(race, command.account, "Only the host can remove an entrant.")
    gone = next(
        (entrant for entrant in race.active if entrant.seat == command.target), None
    )
    if gone is None:
        raise RaceRefusal("race.seat_empty", "Nobody has that seat.")
    if gone is host:
        raise RaceRefusal("race.remove_self", "To give up your own seat, leave.")
    after, events = remove_entrants(race, frozenset({gone.seat}), "removed", at)
    removed_entrant = replace(
        gone, has_left=True, is_ready=False, unready_since=None, is_removed=True
    )
    return Transition(after.with_entrant(removed_entrant), events)


def _ready(race: RaceFacts, command: Ready, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.OPEN)
    entrant = require_entrant(race, command.account)
    if entrant.is_ready:
        return Transition(race, ())
    ready = replace(entrant, is_ready=True, unready_since=None, is_invited=False)
    race = race.with_entrant(ready)
    events: tuple[Event, ...] = (Event(EventKind.READIED, entrant.seat),)
    if len(race.active) >= MIN_ENTRANTS and all(
        other.is_ready for other in race.active
    ):
        race, begun = begin_countdown(race, at)
        events += begun
    return Transition(race, events)


def _unready(race: RaceFacts, command: Unready, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.OPEN)
    entrant = require_entrant(race, command.account)
    if not entrant.is_ready:
        return Transition(race, ())
    after = race.with_entrant(replace(entrant, is_ready=False, unready_since=at))
    return Transition(after, (Event(EventKind.UNREADIED, entrant.seat),))


def _start(race: RaceFacts, command: Start, at: datetime) -> Transition:
    if race_phase(race, at) is RacePhase.COUNTDOWN and command.account == race.host:
        return Transition(race, ())
    require_phase(race, at, RacePhase.OPEN)
    host = require_host(race, command.account, "Only the host can start the race.")
    # A rating change needs consent: a rated race starts without those not ready. Who
    # has not answered a rematch is not taken along into any race.
    dropped = frozenset(
        entrant.seat
        for entrant in race.active
        if entrant is not host
        and not entrant.is_ready
        and (race.rated or entrant.is_invited)
    )
    staying = len(race.active) - len(dropped)
    if staying < MIN_ENTRANTS:
        raise RaceRefusal(
            "race.too_few",
            "A rated race needs two entrants who are ready."
            if race.rated
            else "A race needs two entrants.",
            {"entrants": staying},
        )
    events: tuple[Event, ...] = ()
    if dropped:
        race, events = remove_entrants(race, dropped, "not_ready", at)
    race, begun = begin_countdown(race, at)
    return Transition(race, events + begun)


def _forfeit(race: RaceFacts, command: Forfeit, at: datetime) -> Transition:
    entrant = require_racing(race, command.account, at)
    if entrant.forfeits_at is not None:
        return Transition(race, ())
    until = truncate_to_ms(at) + FORFEIT_DELAY
    after = race.with_entrant(replace(entrant, forfeits_at=until))
    body = {"until": until}
    return Transition(after, (Event(EventKind.FORFEITING, entrant.seat, body),))


def _cancel_forfeit(
    race: RaceFacts, command: CancelForfeit, at: datetime
) -> Transition:
    entrant = require_racing(race, command.account, at)
    if entrant.forfeits_at is None:
        return Transition(race, ())
    if at >= entrant.forfeits_at:
        raise RaceRefusal(
            "race.take_back_too_late", "A forfeit can be cancelled for five seconds."
        )
    after = race.with_entrant(replace(entrant, forfeits_at=None))
    return Transition(after, (Event(EventKind.FORFEIT_TAKEN_BACK, entrant.seat),))


def _close_early(race: RaceFacts, command: CloseEarly, at: datetime) -> Transition:
    require_phase(race, at, RacePhase.RUNNING)
    own = require_entrant(race, command.account)
    require_early_close(race, own, command.gone_since, at)
    race = replace(race, deadline_at=truncate_to_ms(at))
    event = Event(EventKind.CLOSED_EARLY, own.seat, deadline_at=race.deadline_at)
    after, ends = end_runs(race, at)
    return Transition(after, (event, *ends))


def _end_run(race: RaceFacts, command: EndRun, at: datetime) -> Transition:
    entrant = require_racing(race, command.account, at)
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


_HANDLERS: dict[type, Callable[[RaceFacts, Any, datetime], Transition]] = {
    Join: _join,
    Leave: _leave,
    Remove: _remove,
    Ready: _ready,
    Unready: _unready,
    Start: _start,
    Forfeit: _forfeit,
    CancelForfeit: _cancel_forfeit,
    CloseEarly: _close_early,
    EndRun: _end_run,
}
