"""Presence: which entrants have a socket open to their race or use it over REST.

Independent of membership: an entrant who goes offline keeps their seat. After a process
dies or a client stops polling, an entrant counts as present for a minute at most.
"""

import time
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q

from game.contest.events import Event, EventKind, Transition
from game.models import Entrant, Race
from game.services.core.retry import retry_transaction
from game.services.races.effects import apply_transition
from game.services.races.locking import race_lock

AWAY_AFTER = timedelta(seconds=60)
# How often a REST client's presence is written at most, and how many clients are kept.
POLL_EVERY_S, _MAX_POLLS = 20.0, 10_000


def presence_refresh(present: Collection[tuple[str, str]], *, at: datetime) -> None:
    """Mark these (race id, account id) as present. Call it every 20 s or so."""
    if not present:
        return
    pairs = Q()
    for race_id, account_id in present:
        pairs |= Q(race_id=race_id, account_id=account_id)
    here = Entrant.objects.filter(pairs, left_at=None)
    here.filter(is_present=True, seen_at__lt=at).update(seen_at=at)
    for race_id, seat in here.filter(is_present=False).values_list("race_id", "seat"):
        _set_present(race_id, seat, True, at)


class _PollThrottle:
    """When this process last recorded the presence of each REST client, by
    (race id, account id).
    """

    def __init__(self) -> None:
        self._recorded_at: dict[tuple[str, str], float] = {}

    def take(self, client: tuple[str, str]) -> bool:
        """Whether the presence should be written now; if so, record that it is."""
        now = time.monotonic()
        if now < self._recorded_at.get(client, 0.0) + POLL_EVERY_S:
            return False
        if len(self._recorded_at) >= _MAX_POLLS:
            self._recorded_at.clear()
        self._recorded_at[client] = now
        return True

    def clear(self) -> None:
        """Forget all clients, so that the next poll of each is written."""
        self._recorded_at.clear()


poll_throttle = _PollThrottle()


def presence_poll(*, race_id: str, account_id: str | None, at: datetime) -> None:
    """Record that the account read the race or moved in it over REST.

    Ignores accounts that are not entrants and races that are over. Most calls run no
    query; a database error is ignored.
    """
    if account_id is None or not poll_throttle.take((race_id, account_id)):
        return
    live = Race.objects.filter(id=race_id, closed_at=None, cancelled_at=None)
    try:
        if live.exists():
            presence_refresh([(race_id, account_id)], at=at)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()


def presence_end(*, race_id: str, account_id: str, at: datetime) -> None:
    """Mark an entrant as absent: their last socket to the race has closed here."""
    here = Entrant.objects.filter(
        race_id=race_id, account_id=account_id, is_present=True
    )
    for seat in here.values_list("seat", flat=True):
        _set_present(race_id, seat, False, at)


def presence_expire(*, at: datetime, most: int = 200) -> int:
    """Mark entrants as absent who were not seen for a minute; return how many."""
    stale = Entrant.objects.filter(is_present=True, seen_at__lt=at - AWAY_AFTER)
    seats = list(stale.values_list("race_id", "seat")[:most])
    for race_id, seat in seats:
        _set_present(race_id, seat, False, at, unless_seen_since=at - AWAY_AFTER)
    return len(seats)


@retry_transaction
@transaction.atomic
def _set_present(
    race_id: str,
    seat: int,
    present: bool,
    at: datetime,
    unless_seen_since: datetime | None = None,
) -> None:
    locked = race_lock(race_id)
    entrant = locked.entrants[seat]
    # The entrant may have been reported again since the caller's query.
    if unless_seen_since is not None and entrant.seen_at >= unless_seen_since:
        return
    if entrant.is_present == present:
        return
    entrant.is_present = present
    entrant.seen_at = max(entrant.seen_at, at)
    entrant.save(update_fields=["is_present", "seen_at"])
    kind = EventKind.APPEARED if present else EventKind.VANISHED
    event = Event(kind, seat, at=entrant.seen_at)
    apply_transition(locked, Transition(locked.facts, (event,)), at)
