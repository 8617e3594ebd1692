"""The outages that a race has not taken into account yet."""

from game.contest.outages import Outage
from game.contest.race import RaceFacts
from game.models import Outage as OutageRow


def race_next_outage(race: RaceFacts) -> Outage | None:
    """The first outage during the race that has not moved its deadline; None if none.

    Races that have not begun their countdown, or are over, have none.
    """
    if race.starts_at is None or race.deadline_at is None:
        return None
    if race.closed_at is not None or race.cancelled_at is not None:
        return None
    outages = OutageRow.objects.filter(
        ended_at__gt=max(race.paused_to or race.starts_at, race.starts_at),
        began_at__lt=race.deadline_at,
    ).order_by("ended_at", "id")
    row = outages.values_list("began_at", "ended_at").first()
    return Outage(*row) if row else None
