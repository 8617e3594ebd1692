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
    Abandonment.How.LEFT: "You left a rated race during its countdown.",
    Abandonment.How.NO_SHOW: "You did not play a rated race you had joined.",
    Abandonment.How.TIMED_OUT: "You left a rated race before its end.",
}


def counted_abandonments(account_id: str, at: datetime) -> QuerySet[Abandonment]:
    """The account's abandonments that count, newest first.

    Excused ones do not count, nor those of voided races or during an outage.
    """
    outages = Outage.objects.filter(
        began_at__lte=OuterRef("at"), ended_at__gte=OuterRef("race__started_at")
    )
    abandonments = Abandonment.objects.filter(
        account_id=account_id,
        excused_at=None,
        at__gt=at - COUNTED_FOR,
        at__lte=at,
        race__voided_at=None,
    )
    return abandonments.exclude(Exists(outages)).order_by("-at")


def leaver_penalty_show(account_id: str, at: datetime) -> races_schemas.Wait | None:
    """Why the account cannot join rated races now; None if it can."""
    abandonments = list(counted_abandonments(account_id, at))
    penalty = leaver_penalty(abandonment.at for abandonment in abandonments)
    if penalty is None or penalty.until <= at:
        return None
    return {
        "code": PENALTY_CODE,
        "until": as_text(penalty.until),
        "retry_after_s": int((penalty.until - at).total_seconds()) + 1,
        "reason": REASONS[Abandonment.How(abandonments[0].how)],
        "race": abandonments[0].race_id,
        "grade": penalty.grade,
        "grades": len(PENALTY_BY_GRADE),
    }
