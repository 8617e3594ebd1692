"""Cases: where everything said and noticed of an account comes together, by kind."""

from datetime import datetime

from django.db.models import F

from game.contest.moderation.reasons import CaseKind
from game.models import Case


def case_touch(*, subject_id: str, kind: CaseKind, weight: float, at: datetime) -> Case:
    """The open case of that account and kind, made if need be, with more weight."""
    case, made = Case.objects.get_or_create(
        subject_id=subject_id,
        kind=kind,
        closed_at=None,
        defaults={"opened_at": at, "touched_at": at, "weight": weight},
    )
    if not made:
        Case.objects.filter(id=case.id).update(
            weight=F("weight") + weight, touched_at=at
        )
    return case
