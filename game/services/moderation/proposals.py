"""Proposals that end undecided: with their case, with an appeal, or after two weeks.

Otherwise a second moderator could confirm one long after its matter was settled.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from game.contest.moderation.acts import PROPOSAL_LASTS, ActState
from game.models import Act
from game.models.moderation.acts import NOTE_LENGTH
from game.services.moderation.act_log import act_log


def proposals_end_with_case(case_id: str, *, staff_id: str, at: datetime) -> int:
    """End the proposals of a case that was closed; return how many."""
    return _end(
        Act.objects.filter(case_id=case_id), "Its case was closed.", staff_id, at
    )


def proposals_end_with_appeal(act: Act, *, staff_id: str, at: datetime) -> int:
    """End the proposals about the matter of an appealed act; return how many.

    They are those of its case, and of its kind on the same account and target.
    """
    same = Q(kind=act.kind, target=act.target)
    if act.case_id is not None:
        same |= Q(case_id=act.case_id)
    rows = Act.objects.filter(same, subject_id=act.subject_id)
    return _end(rows, "An appeal about it was decided.", staff_id, at)


@transaction.atomic
def proposals_expire(*, at: datetime) -> int:
    """End the proposals that nobody has confirmed in time; return how many."""
    old = Act.objects.filter(made_at__lte=at - PROPOSAL_LASTS)
    return _end(old, f"Nobody confirmed it in {PROPOSAL_LASTS.days} days.", None, at)


def _end(rows: QuerySet[Act], why: str, staff_id: str | None, at: datetime) -> int:
    proposed = rows.filter(state=ActState.PROPOSED).order_by("id")
    ended = list(proposed.select_for_update(of=("self",)))
    for act in ended:
        act.state = ActState.DECLINED
        act.note = f"{act.note}\nExpired: {why}".strip()[-NOTE_LENGTH:]
        act.save(update_fields=["state", "note"])
        act_log(act, "expired", staff_id, at=at)
    return len(ended)
