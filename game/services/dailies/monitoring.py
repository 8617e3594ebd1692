"""Says in the log, as an error, when dailies are not where they should be."""

from datetime import datetime, timedelta

import structlog
from django.conf import settings

from game.contest.calendar import SETTLEMENT_LATE_AFTER, day_of
from game.models import Daily

log = structlog.get_logger(__name__)


def daily_troubles(*, at: datetime) -> list[dict[str, str]]:
    """What is wrong at that instant: [{trouble, daily}], empty when all is well.

    `missing`: tomorrow has no sealed daily. `late`: a board was not settled within ten
    minutes of its time. A site without any daily yet is about to draw its first ones.
    """
    if not Daily.objects.exists():
        return []
    tomorrow = day_of(at) + timedelta(days=1)
    there = set(Daily.objects.filter(on=tomorrow).values_list("ruleset", flat=True))
    missing = [ruleset for ruleset in settings.DAILY_RULESETS if ruleset not in there]
    late = Daily.objects.filter(
        settled_at=None, settles_at__lte=at - SETTLEMENT_LATE_AFTER
    )
    return [
        *({"trouble": "missing", "daily": f"{tomorrow} {key}"} for key in missing),
        *(
            {"trouble": "late", "daily": f"{daily.on} {daily.ruleset}"}
            for daily in late.order_by("on", "ruleset")[:20]
        ),
    ]


def dailies_watch(*, at: datetime) -> int:
    """Log each trouble as an error; how many there are. Called before the mending."""
    troubles = daily_troubles(at=at)
    for trouble in troubles:
        log.error("daily_trouble", **trouble)
    return len(troubles)
