"""A race as a value: its timestamps and its entrants, and the phase they amount to.

The phase is never stored: it is read from the timestamps at an instant, so that a race
is in the right phase even where nobody has come by to note it. Knows no table, no name
and no card; `commands` and `due` make later values from it.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

COUNTDOWN: Final = timedelta(seconds=5)
OPEN_FOR: Final = timedelta(minutes=60)
SPEED_GRACE: Final = timedelta(minutes=3)
FORFEIT_DELAY: Final = timedelta(seconds=5)
MIN_ENTRANTS: Final = 2


class RacePhase(StrEnum):
    """Where a race stands. Held and voided are a moderator's.

    A held race is played to its end; it is then held instead of being settled.
    """

    OPEN = "open"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    CLOSED = "closed"
    SETTLED = "settled"
    CANCELLED = "cancelled"
    HELD = "held"
    VOIDED = "voided"


class Format(StrEnum):
    """How places are decided."""

    SCORE = "score"
    SPEED = "speed"


class EntrantKind(StrEnum):
    """Who plays: a person or program, a house player, a recorded run."""

    PLAYER = "player"
    BOT = "house"
    GHOST = "ghost"


class EntrantState(StrEnum):
    """How an entrant stands; everything after `racing` is an end."""

    JOINED = "joined"
    READY = "ready"
    RACING = "racing"
    CLEARED = "cleared"
    DIED = "died"
    FORFEITED = "forfeited"
    TIMED_OUT = "timed_out"
    NO_SHOW = "no_show"
    DISQUALIFIED = "disqualified"


# The status of a run, in the words of an entrant. A run that expired without a single
# move is a no-show.
STATE_OF_STATUS: Final = {
    "playing": EntrantState.RACING,
    "cleared": EntrantState.CLEARED,
    "died": EntrantState.DIED,
    "forfeited": EntrantState.FORFEITED,
    "abandoned": EntrantState.FORFEITED,
    "expired": EntrantState.TIMED_OUT,
}


@dataclass(frozen=True, slots=True)
class EntrantFacts:
    """One entrant. `status`, `moves` and `ended_at` are those of his run, once dealt.

    `pool` is the rating pool the account belongs to ("" where it is never rated).
    """

    account: str
    seat: int
    kind: EntrantKind = EntrantKind.PLAYER
    pool: str = ""
    ready: bool = False
    left: bool = False
    status: str | None = None
    moves: int = 0
    ended_at: datetime | None = None
    forfeits_at: datetime | None = None
    disqualified: bool = False

    @property
    def state(self) -> EntrantState:
        """How he stands, in the protocol's words."""
        return entrant_state(
            status=self.status,
            moves=self.moves,
            ready=self.ready,
            disqualified=self.disqualified,
        )

    @property
    def playing(self) -> bool:
        """Whether his run is dealt and not over."""
        return self.status == "playing"


@dataclass(frozen=True, slots=True)
class RaceFacts:
    """A race's timestamps and roster: all that decides its phase and what may happen.

    `expires_at` ends an open race; `started_at`, `closed_at` and `settled_at` note that
    a transition was carried out, `starts_at` and `deadline_at` say when it is due.
    """

    host: str
    made_at: datetime
    expires_at: datetime
    format: Format = Format.SCORE
    seats: int = 2
    rated: bool = False
    time_limit: timedelta = timedelta(minutes=10)
    starts_at: datetime | None = None
    deadline_at: datetime | None = None
    started_at: datetime | None = None
    closed_at: datetime | None = None
    settled_at: datetime | None = None
    cancelled_at: datetime | None = None
    held_at: datetime | None = None
    voided_at: datetime | None = None
    entrants: tuple[EntrantFacts, ...] = ()

    @property
    def active(self) -> tuple[EntrantFacts, ...]:
        """The entrants who have not left, by seat."""
        return tuple(entrant for entrant in self.entrants if not entrant.left)

    @property
    def all_over(self) -> bool:
        """Whether the race was dealt and nobody plays any more."""
        return self.started_at is not None and not any(
            entrant.playing for entrant in self.active
        )

    def entrant(self, account: str) -> EntrantFacts | None:
        """The account's own seat in the race, also one that it has left."""
        for entrant in self.entrants:
            if entrant.account == account and entrant.kind is not EntrantKind.GHOST:
                return entrant
        return None

    def with_entrant(self, changed: EntrantFacts) -> "RaceFacts":
        """The race with that seat as given."""
        return replace(
            self,
            entrants=tuple(
                changed if entrant.seat == changed.seat else entrant
                for entrant in self.entrants
            ),
        )


def entrant_state(
    *, status: str | None, moves: int, ready: bool, disqualified: bool = False
) -> EntrantState:
    """The protocol's word for an entrant whose run has that status (None: undealt)."""
    if disqualified:
        return EntrantState.DISQUALIFIED
    if status is None:
        return EntrantState.READY if ready else EntrantState.JOINED
    if status == "expired" and moves == 0:
        return EntrantState.NO_SHOW
    return STATE_OF_STATUS[status]


def race_phase(race: RaceFacts, at: datetime) -> RacePhase:
    """The phase at that instant, from the timestamps alone."""
    marked = _recorded_phase(race)
    if marked is not None:
        return marked
    if race.starts_at is None or race.deadline_at is None:
        return RacePhase.OPEN if at < race.expires_at else RacePhase.CANCELLED
    if race.started_at is None:
        # Once it is noted, the start holds also for a clock that is a little behind.
        if at < race.starts_at:
            return RacePhase.COUNTDOWN
        if len(race.active) < MIN_ENTRANTS:
            return RacePhase.CANCELLED
    if at < race.deadline_at and not race.all_over:
        return RacePhase.RUNNING
    return RacePhase.CLOSED


def _recorded_phase(race: RaceFacts) -> RacePhase | None:
    """The phase that a noted transition settles for good."""
    held_at = race.held_at if race.closed_at is not None else None
    marks = (
        (race.voided_at, RacePhase.VOIDED),
        (race.cancelled_at, RacePhase.CANCELLED),
        (race.settled_at, RacePhase.SETTLED),
        (held_at, RacePhase.HELD),
        (race.closed_at, RacePhase.CLOSED),
    )
    return next((found for mark, found in marks if mark is not None), None)


def next_due_at(race: RaceFacts) -> datetime | None:
    """When time will next do something by itself; None where it never will."""
    marked = _recorded_phase(race)
    if marked is RacePhase.CLOSED:
        return race.closed_at
    if marked is not None:
        return None
    if race.starts_at is None or race.deadline_at is None:
        return race.expires_at
    if race.started_at is None:
        return race.starts_at
    if race.all_over:
        ends = [one.ended_at for one in race.active if one.ended_at is not None]
        return max(ends, default=race.started_at)
    pending = [one.forfeits_at for one in race.active if one.playing]
    return min([race.deadline_at, *(at for at in pending if at is not None)])


def grace_deadline(form: Format, deadline_at: datetime, ended_at: datetime) -> datetime:
    """The deadline once a run has been played to its end at `ended_at`.

    In `speed` the first clearance or death leaves the others three minutes; forfeits do
    not, lest leaving cut short whoever stays. The SQL of a move says the same.
    """
    if form is Format.SPEED:
        return min(deadline_at, ended_at + SPEED_GRACE)
    return deadline_at


def truncate_to_ms(at: datetime) -> datetime:
    """That time cut to the millisecond, as the protocol writes it."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
