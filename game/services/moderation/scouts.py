"""Marks wins of rated races in which an opponent had been shown the cards before.

`game.contest.moderation.scouts` has the rule. Accounts with several such wins are
screened (`screenings`). Can run again over the same races.
"""

from datetime import datetime, timedelta
from typing import Final

from game.contest.moderation.scouts import ShownMove, is_scouted
from game.models import Entrant, RaceEvent

# A race commits a little after its `settled_at`.
_OVERLAP: Final = timedelta(minutes=2)
_FIRST_SPAN: Final = timedelta(hours=1)


def scouted_wins_mark(*, since: datetime | None, at: datetime, most: int = 200) -> int:
    """Mark the scouted wins of rated races that were settled since; return how many."""
    after = (since or at - _FIRST_SPAN) - _OVERLAP
    wins = Entrant.objects.filter(
        race__rated=True,
        race__settled_at__gt=after,
        race__settled_at__lte=at,
        kind=Entrant.Kind.PLAYER,
        place=1,
        left_at=None,
        is_scouted=False,
        run__by_program=False,
    )
    due = wins.order_by("race__settled_at", "id")[:most]
    scouted = [
        entrant.pk
        for entrant in due
        if is_scouted(entrant.seat, _moves_of(entrant.race_id))
    ]
    return Entrant.objects.filter(pk__in=scouted).update(is_scouted=True)


def _moves_of(race_id: str) -> list[ShownMove]:
    events = RaceEvent.objects.filter(race=race_id, kind="moved", seat__isnull=False)
    rows = events.order_by("seq").values_list("seat", "needs")
    return [ShownMove(seat, needs) for seat, needs in rows if seat is not None]
