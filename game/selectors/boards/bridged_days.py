"""The days that break no streak: with an outage, or bridged by a moderator."""

from datetime import date

from game.models import BridgedDay


def bridged_days() -> frozenset[date]:
    """All days that break no streak."""
    return frozenset(BridgedDay.objects.values_list("on", flat=True))
