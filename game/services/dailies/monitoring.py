"""Logs an error if a daily is missing or a board was not settled in time."""

from datetime import datetime, timedelta

import structlog
from django.conf import settings

from game.contest.calendar import SETTLEMENT_LATE_AFTER, day_of
from game.models import Daily

log = structlog.get_logger(__name__)


def daily_troubles(*, at: datetime) -> list[dict[str, str]]:
    """The problems at that instant: [{trouble, daily}], empty if there are none.

    `missing`: tomorrow has no sealed daily. `late`: a board was not settled within ten
    minutes of its time. A new site without any daily has no problem.
    """
    if not Daily.objects.exists():
        return []
    tomorrow = day_of(at) + timedelta(days=1)
    there = set(Daily.objects.filter(on=tomorrow).values_list("ruleset", flat=True))
    missing = [ruleset for ruleset in settings.DAILY_RULESETS if ruleset not in there]
    late = Daily.objects.filter(Daily.settlement_due(at - SETTLEMENT_LATE_AFTER))
    return [
        *({"trouble": "missing", "daily": f"{tomorrow} {key}"} for key in missing),
        *(
            {"trouble": "late", "daily": f"{daily.on} {daily.ruleset}"}
            for daily in late.order_by("on", "ruleset")[:20]
        ),
    ]


def dailies_log_troubles(*, at: datetime) -> int:
    """Log each problem as an error; how many. Call it before they are repaired."""
    troubles = daily_troubles(at=at)
    for trouble in troubles:
        log.error("daily_trouble", **trouble)
    return len(troubles)
