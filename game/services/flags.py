"""Flags: what the machine noticed, laid beside the players' reports. No flag punishes:
a moderator reads it, with what was seen.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from game.contest.moderation.reasons import CASE_OF_FLAG, WEIGHT_OF_FLAG, FlagKind
from game.models import Flag
from game.services.cases import case_touch


def flag_raise(
    *,
    subject_id: str,
    kind: FlagKind | str,
    evidence: Mapping[str, Any],
    at: datetime,
    key: str = "",
) -> bool:
    """Note that about an account; False where the same has been noted before.

    `key` says what makes it the same: a run's id, a day. `evidence` is JSON that staff
    read: ids and numbers, no address, no card that has not been dealt.
    """
    flag = FlagKind(kind)
    same = Flag.objects.filter(subject_id=subject_id, kind=flag, key=key)
    if same.exists():
        return False
    weight = WEIGHT_OF_FLAG[flag]
    try:
        with transaction.atomic():
            case = case_touch(
                subject_id=subject_id, kind=CASE_OF_FLAG[flag], weight=weight, at=at
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
    except IntegrityError:  # another process noticed the same at this moment
        return False
    return True
