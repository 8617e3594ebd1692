"""Who is here in a race: has a socket open to it, or asks and moves over REST.

Told apart from membership: going away leaves nothing. A process that dies, and whoever
stops asking, leaves somebody present for a minute at most.
"""

import time
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q

from game.contest.events import Event, EventKind, Transition
from game.contest.race import RaceFacts
from game.models import Entrant, Race
from game.services.core.retry import retry_transaction
from game.services.races.command_base import written
from game.services.races.locking import RaceWork, race_lock

AWAY_AFTER = timedelta(seconds=60)
# Asking over REST is noted so often, in seconds; and so many are kept in mind.
POLL_EVERY_S, _MOST_POLLS = 20.0, 10_000


def races_seen(present: Collection[tuple[str, str]], *, at: datetime) -> None:
    """These (race, account) have a socket open now. To be said each 20 s or so."""
    if not present:
        return
    pairs = Q()
    for race_id, account_id in present:
        pairs |= Q(race_id=race_id, account_id=account_id)
    here = Entrant.objects.filter(pairs, left_at=None)
    here.filter(is_present=True, seen_at__lt=at).update(seen_at=at)
    for race_id, seat in here.filter(is_present=False).values_list("race_id", "seat"):
        _note(race_id, seat, True, at)


class _Polls:
    """When each (race, account) that asks over REST was last noted, in this process."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, str], float] = {}

    def is_news(self, who: tuple[str, str]) -> bool:
        """Whether it is time to note him again; then that is taken as done."""
        now = time.monotonic()
        if now < self._noted.get(who, 0.0) + POLL_EVERY_S:
            return False
        if len(self._noted) >= _MOST_POLLS:
            self._noted.clear()
        self._noted[who] = now
        return True

    def forget(self) -> None:
        """Note everybody anew."""
        self._noted.clear()


polls = _Polls()


def race_polled(*, race_id: str, account_id: str | None, at: datetime) -> None:
    """Somebody asked for the race, or moved in it, over REST: he is here.

    Nothing where he is no entrant, or the race is over. Costs nothing most times, and
    matters to nobody where it fails.
    """
    if account_id is None or not polls.is_news((race_id, account_id)):
        return
    live = Race.objects.filter(id=race_id, closed_at=None, cancelled_at=None)
    try:
        if live.exists():
            races_seen([(race_id, account_id)], at=at)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()


def race_gone(*, race_id: str, account_id: str, at: datetime) -> None:
    """The account's last socket to the race has closed here."""
    here = Entrant.objects.filter(
        race_id=race_id, account_id=account_id, is_present=True
    )
    for seat in here.values_list("seat", flat=True):
        _note(race_id, seat, False, at)


def presence_expire(*, at: datetime, most: int = 200) -> int:
    """Note as gone whoever has not been seen for a minute; how many."""
    gone = Entrant.objects.filter(is_present=True, seen_at__lt=at - AWAY_AFTER)
    found = list(gone.values_list("race_id", "seat")[:most])
    for race_id, seat in found:
        _note(race_id, seat, False, at, unless_seen_since=at - AWAY_AFTER)
    return len(found)


@retry_transaction
@transaction.atomic
def _note(
    race_id: str,
    seat: int,
    present: bool,
    at: datetime,
    unless_seen_since: datetime | None = None,
) -> None:
    work: RaceWork = race_lock(race_id)
    one = work.entrants[seat]
    kept = unless_seen_since is not None and one.seen_at >= unless_seen_since
    if one.is_present == present or kept:
        return
    one.is_present = present
    one.seen_at = max(one.seen_at, at)
    one.save(update_fields=["is_present", "seen_at"])
    facts: RaceFacts = work.facts
    kind = EventKind.APPEARED if present else EventKind.VANISHED
    written(work, Transition(facts, (Event(kind, seat),)), at)
