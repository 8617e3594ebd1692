"""A race as an immutable value: its timestamps, its entrants and its phase.

The phase is not stored. It is derived from the timestamps and the current time, so it
is right even before a due transition is written. `commands` and `timed_transitions`
return the values that follow.
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
# In a public race without a free seat, an entrant who is not ready keeps the seat this
# long.
RELEASE_AFTER: Final = timedelta(minutes=2)
# How many seats in open races an account can have, and how many open races it can host.
MAX_OPEN_SEATS: Final = 5
MAX_OPEN_RACES: Final = 3


class RacePhase(StrEnum):
    """The phase of a race. `held` and `voided` are set by moderators.

    A held race is played to its end and then waits unsettled until it is released.
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
    """Who plays: an account, a bot of the server, or the replay of a recorded run."""

    PLAYER = "player"
    BOT = "house"
    GHOST = "ghost"


class ShownKind(StrEnum):
    """Who plays, as clients see it: an account that a program plays is a `bot`."""

    PLAYER = "player"
    BOT = "bot"
    HOUSE = "house"
    GHOST = "ghost"


def shown_kind(kind: EntrantKind, *, by_program: bool) -> ShownKind:
    """The kind that clients see.

    `by_program`: the account is a bot, or a move of its run was sent with a token.
    """
    if kind is EntrantKind.PLAYER and by_program:
        return ShownKind.BOT
    return ShownKind(kind)


class EntrantState(StrEnum):
    """The state of an entrant; every state after `racing` is final."""

    JOINED = "joined"
    READY = "ready"
    RACING = "racing"
    CLEARED = "cleared"
    DIED = "died"
    FORFEITED = "forfeited"
    TIMED_OUT = "timed_out"
    NO_SHOW = "no_show"
    DISQUALIFIED = "disqualified"


# The entrant's state for each status of their run; `entrant_state` makes a no-show of
# an expired run without a move.
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
    """One entrant. `status`, `moves` and `ended_at` are those of the run once started.

    `pool` is the account's rating pool, "" for accounts that are never rated.
    `is_removed`: by the host, for the whole race. `is_invited`: seated by a rematch,
    which they have not answered. `unready_since` is None while ready.
    """

    account: str
    seat: int
    kind: EntrantKind = EntrantKind.PLAYER
    pool: str = ""
    is_ready: bool = False
    has_left: bool = False
    is_removed: bool = False
    is_invited: bool = False
    joined_at: datetime | None = None
    unready_since: datetime | None = None
    status: str | None = None
    moves: int = 0
    ended_at: datetime | None = None
    forfeits_at: datetime | None = None
    is_disqualified: bool = False

    @property
    def state(self) -> EntrantState:
        """The entrant's state, as sent to clients."""
        return entrant_state(
            status=self.status,
            moves=self.moves,
            is_ready=self.is_ready,
            is_disqualified=self.is_disqualified,
        )

    @property
    def is_playing(self) -> bool:
        """Whether the entrant's run is in progress."""
        return self.status == "playing"


@dataclass(frozen=True, slots=True)
class RaceFacts:
    """A race's terms, timestamps and entrants.

    `is_paired`: whether the system chose the entrants. `is_listed`: the lobby shows the
    race. `expires_at` is when an open race is cancelled. `starts_at` and `deadline_at`
    are due times; `started_at`, `closed_at` and `settled_at` record written
    transitions. Outages that ended by `paused_to` have been applied; one that ended at
    `unrated_at` made it unrated.
    """

    host: str
    made_at: datetime
    expires_at: datetime
    format: Format = Format.SCORE
    seats: int = 2
    rated: bool = False
    is_paired: bool = False
    is_listed: bool = False
    time_limit: timedelta = timedelta(minutes=10)
    starts_at: datetime | None = None
    deadline_at: datetime | None = None
    started_at: datetime | None = None
    closed_at: datetime | None = None
    settled_at: datetime | None = None
    cancelled_at: datetime | None = None
    held_at: datetime | None = None
    voided_at: datetime | None = None
    paused_to: datetime | None = None
    unrated_at: datetime | None = None
    entrants: tuple[EntrantFacts, ...] = ()

    @property
    def active(self) -> tuple[EntrantFacts, ...]:
        """The entrants who have not left, by seat."""
        return tuple(entrant for entrant in self.entrants if not entrant.has_left)

    @property
    def is_played_out(self) -> bool:
        """Whether the race has started and no entrant is still playing."""
        return self.started_at is not None and not any(
            entrant.is_playing for entrant in self.active
        )

    def entrant(self, account: str) -> EntrantFacts | None:
        """The account's entrant, also if it has left; never a ghost."""
        for entrant in self.entrants:
            if entrant.account == account and entrant.kind is not EntrantKind.GHOST:
                return entrant
        return None

    def with_entrant(self, changed: EntrantFacts) -> "RaceFacts":
        """The race with the entrant of that seat replaced."""
        return replace(
            self,
            entrants=tuple(
                changed if entrant.seat == changed.seat else entrant
                for entrant in self.entrants
            ),
        )


def entrant_state(
    *, status: str | None, moves: int, is_ready: bool, is_disqualified: bool = False
) -> EntrantState:
    """The state of an entrant; `status` is that of the run, None before the start."""
    if is_disqualified:
        return EntrantState.DISQUALIFIED
    if status is None:
        return EntrantState.READY if is_ready else EntrantState.JOINED
    if status == "expired" and moves == 0:
        return EntrantState.NO_SHOW
    return STATE_OF_STATUS[status]


def race_phase(race: RaceFacts, at: datetime) -> RacePhase:
    """The phase at that time."""
    recorded = _recorded_phase(race)
    if recorded is not None:
        return recorded
    if race.starts_at is None or race.deadline_at is None:
        return RacePhase.OPEN if at < race.expires_at else RacePhase.CANCELLED
    if race.started_at is None:
        # A recorded start also holds for a clock that is a little behind.
        if at < race.starts_at:
            return RacePhase.COUNTDOWN
        if len(race.active) < MIN_ENTRANTS:
            return RacePhase.CANCELLED
    if at < race.deadline_at and not race.is_played_out:
        return RacePhase.RUNNING
    return RacePhase.CLOSED


def _recorded_phase(race: RaceFacts) -> RacePhase | None:
    """The phase that recorded transitions determine at any time; None: none does."""
    held_at = race.held_at if race.closed_at is not None else None
    phases = (
        (race.voided_at, RacePhase.VOIDED),
        (race.cancelled_at, RacePhase.CANCELLED),
        (race.settled_at, RacePhase.SETTLED),
        (held_at, RacePhase.HELD),
        (race.closed_at, RacePhase.CLOSED),
    )
    return next((phase for at, phase in phases if at is not None), None)


def next_due_at(race: RaceFacts) -> datetime | None:
    """When the next timed transition is due; None if there is none."""
    recorded = _recorded_phase(race)
    if recorded is RacePhase.CLOSED:
        return race.closed_at
    if recorded is not None:
        return None
    if race.starts_at is None or race.deadline_at is None:
        releases = [seat_release_at(race, entrant) for entrant in race.active]
        return min([race.expires_at, *(at for at in releases if at is not None)])
    if race.started_at is None:
        return race.starts_at
    if race.is_played_out:
        ends = [
            entrant.ended_at for entrant in race.active if entrant.ended_at is not None
        ]
        return max(ends, default=race.started_at)
    pending = [entrant.forfeits_at for entrant in race.active if entrant.is_playing]
    return min([race.deadline_at, *(at for at in pending if at is not None)])


def full_since(race: RaceFacts) -> datetime | None:
    """When the last free seat was taken; None while a seat is free."""
    if len(race.active) < race.seats:
        return None
    return max(
        (entrant.joined_at or race.made_at for entrant in race.active), default=None
    )


def seat_release_at(race: RaceFacts, entrant: EntrantFacts) -> datetime | None:
    """When an open race takes the seat back from an entrant who is not ready.

    None if it does not: the race is by link, has a free seat, or the entrant is ready.
    """
    full = full_since(race)
    if not race.is_listed or full is None or entrant.is_ready:
        return None
    return max(full, entrant.unready_since or full) + RELEASE_AFTER


def grace_deadline(form: Format, deadline_at: datetime, ended_at: datetime) -> datetime:
    """The race's deadline after a run was cleared or died at `ended_at`.

    In `speed` the first such end gives the others three more minutes. Forfeits do not
    count, so that leaving does not shorten other entrants' time. The SQL of a move has
    the same rule.
    """
    if form is Format.SPEED:
        return min(deadline_at, ended_at + SPEED_GRACE)
    return deadline_at


def truncate_to_ms(at: datetime) -> datetime:
    """The time truncated to milliseconds, the precision of the protocol."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
