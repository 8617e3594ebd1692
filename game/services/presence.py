"""Who has a socket open to a race he is in. Told apart from membership: going away
leaves nothing, and a process that dies leaves somebody present for a minute at most.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from game.contest.events import Decision, EventKind, Happened
from game.contest.race import RaceFacts
from game.models import Entrant
from game.services.again import tried_again
from game.services.race_acts import written
from game.services.race_work import RaceWork, race_lock

AWAY_AFTER = timedelta(seconds=60)


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


@tried_again
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
    written(work, Decision(facts, (Happened(kind, seat),)), at)
