"""Leaver penalties: until when an account cannot join rated races, and why."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from game.contest.leaver_penalty import COUNTED_FOR, PENALTY_BY_GRADE, leaver_penalty
from game.models import Abandonment, Outage
from game.selectors.core.times import as_text
from game.selectors.races import schemas as races_schemas

PENALTY_CODE = "race.wait"
REASONS = {
    Abandonment.How.FORFEITED: "You gave up a rated race while others played on.",
    Abandonment.How.NO_SHOW: "You did not play a rated race you had joined.",
    Abandonment.How.TIMED_OUT: "You left a rated race before its end.",
}


def counted_abandonments(account_id: str, at: datetime) -> QuerySet[Abandonment]:
    """The account's abandonments that count, newest first.

    Excused ones do not count, nor those of voided races or during an outage.
    """
    at_fault = Outage.objects.filter(
        began_at__lte=OuterRef("at"), ended_at__gte=OuterRef("race__started_at")
    )
    found = Abandonment.objects.filter(
        account_id=account_id,
        excused_at=None,
        at__gt=at - COUNTED_FOR,
        at__lte=at,
        race__voided_at=None,
    )
    return found.exclude(Exists(at_fault)).order_by("-at")


def leaver_penalty_show(account_id: str, at: datetime) -> races_schemas.Wait | None:
    """Why the account may not race for a rating now; None where it may."""
    found = list(counted_abandonments(account_id, at))
    wait = leaver_penalty(one.at for one in found)
    if wait is None or wait.until <= at:
        return None
    return {
        "code": PENALTY_CODE,
        "until": as_text(wait.until),
        "retry_after_s": int((wait.until - at).total_seconds()) + 1,
        "reason": REASONS[Abandonment.How(found[0].how)],
        "race": found[0].race_id,
        "grade": wait.grade,
        "grades": len(PENALTY_BY_GRADE),
    }
