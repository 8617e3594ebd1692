"""Outages: when the site was down, and what that changes in a race.

Processes store signs of life. Players reach the site through web processes, so their
signs count; a site without any (tests, a worker alone) is judged by its worker.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from game.contest.calendar import DAY, day_of
from game.contest.events import Event, EventKind, Transition
from game.contest.race import RaceFacts, truncate_to_ms

# Processes sign every few seconds; after this long without a sign the site was down.
OUTAGE_AFTER: Final = timedelta(seconds=20)
SIGN_EVERY: Final = timedelta(seconds=5)


class ProcessRole(StrEnum):
    """What kind of process signs."""

    WEB = "web"
    WORKER = "worker"


class SiteState(StrEnum):
    """The state of the site as a process sees it.

    `down`: it still is, for players. `back`: it was, until this process came back.
    """

    UP = "up"
    DOWN = "down"
    BACK = "back"


class Outage(NamedTuple):
    """The site was down from `began_at` until `ended_at`."""

    began_at: datetime
    ended_at: datetime

    def overlap(self, since: datetime, until: datetime) -> timedelta:
        """For how long it lasted between these times."""
        length = min(self.ended_at, until) - max(self.began_at, since)
        return max(length, timedelta())

    def days(self) -> Iterator[date]:
        """The UTC days that it touched."""
        on = day_of(self.began_at)
        while on <= day_of(self.ended_at):
            yield on
            on += DAY


def watched_role(signs: dict[ProcessRole, datetime]) -> ProcessRole:
    """Whose signs tell whether players can reach the site."""
    return ProcessRole.WEB if ProcessRole.WEB in signs else ProcessRole.WORKER


def site_state(
    signs: dict[ProcessRole, datetime], role: ProcessRole, at: datetime
) -> SiteState:
    """The state of the site at that time, seen by a process of that role.

    `signs`: the last sign of each role. A clock that was set back shows no outage.
    """
    watched = watched_role(signs)
    last = signs.get(watched)
    if last is None or at - last < OUTAGE_AFTER:
        return SiteState.UP
    return SiteState.BACK if role is watched else SiteState.DOWN


def race_after_outage(race: RaceFacts, outage: Outage) -> Transition:
    """The race after an outage that has ended.

    A race that should have started during it is cancelled. While runs are played, the
    deadline moves by its length. If it covers the rest of the race, the deadline stays
    and the race becomes unrated: nobody could play on.
    """
    after = replace(race, paused_to=outage.ended_at)
    starts_at, deadline_at = race.starts_at, race.deadline_at
    assert starts_at is not None
    assert deadline_at is not None
    if race.started_at is None and outage.began_at <= starts_at:
        cancelled = Event(EventKind.CANCELLED, None, {"reason": "outage"})
        return Transition(replace(after, cancelled_at=outage.ended_at), (cancelled,))
    length = outage.overlap(max(race.paused_to or starts_at, starts_at), deadline_at)
    if race.is_played_out or not length:
        return Transition(after, ())
    if outage.ended_at < deadline_at:
        deadline_at = truncate_to_ms(deadline_at + length)
        after = replace(after, deadline_at=deadline_at)
    elif race.rated:
        after = replace(after, rated=False, unrated_at=outage.ended_at)
    else:
        return Transition(after, ())
    body: dict[str, Any] = {
        "outage_ms": length // timedelta(milliseconds=1),
        "rated": after.rated,
    }
    if after.unrated_at is not None:
        body["unrated_at"] = after.unrated_at
    event = Event(EventKind.OUTAGE, None, body, deadline_at=deadline_at)
    return Transition(after, (event,))
