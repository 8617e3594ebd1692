"""Raises flags: automatic observations of an account, gathered in cases for moderators.

A flag restricts nobody. A moderator reads it together with the players' reports.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from game.contest.moderation.reasons import (
    CASE_KIND_BY_FLAG,
    WEIGHT_BY_FLAG,
    CaseKind,
    FlagKind,
)
from game.models import Case, Flag


def flag_raise(
    *,
    subject_id: str,
    kind: FlagKind | str,
    evidence: Mapping[str, Any],
    at: datetime,
    key: str = "",
) -> bool:
    """Flag an account. Return False if the same flag was raised before.

    Flags of one account, kind and `key` (a run id, a week) are the same. `evidence` is
    JSON for staff: ids and numbers, no address, no undealt card.
    """
    flag = FlagKind(kind)
    same = Flag.objects.filter(subject_id=subject_id, kind=flag, key=key)
    if same.exists():
        return False
    weight = WEIGHT_BY_FLAG[flag]
    try:
        with transaction.atomic():
            case = case_open_or_extend(
                subject_id=subject_id,
                kind=CASE_KIND_BY_FLAG[flag],
                weight=weight,
                at=at,
            )
            Flag.objects.create(
                case=case,
                subject_id=subject_id,
                kind=flag,
                key=key,
                evidence=dict(evidence),
                weight=weight,
                at=at,
            )
    except IntegrityError:  # another process raised the same flag at this moment
        return False
    return True


def case_open_or_extend(
    *, subject_id: str, kind: CaseKind, weight: float, at: datetime
) -> Case:
    """Add weight to the open case of that account and kind, or open one."""
    case, is_new = Case.objects.get_or_create(
        subject_id=subject_id,
        kind=kind,
        closed_at=None,
        defaults={"opened_at": at, "touched_at": at, "weight": weight},
    )
    if not is_new:
        Case.objects.filter(id=case.id).update(
            weight=F("weight") + weight, touched_at=at
        )
    return case
