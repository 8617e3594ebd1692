"""Appeals: an account asks once for a review of a sanction by another moderator."""

from datetime import datetime

from django.db import transaction

from game.contest.moderation.acts import RULES, SANCTIONS, ActKind, ActState
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act, Appeal
from game.models.moderation.acts import ACT_TEXT_LENGTH, APPEAL_LENGTH
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.retry import retry_transaction
from game.services.moderation.acts import act_undo_checked
from game.services.moderation.audit import audit_add
from game.services.moderation.conflicts_of_interest import require_no_conflict, rule_of
from game.services.moderation.notices import notice_of_appeal
from game.services.moderation.proposals import proposals_end_with_appeal
from game.services.moderation.roles import Actor, staff_require


@retry_transaction
@transaction.atomic
def appeal_make(*, account_id: str, act_id: str, text: str, at: datetime) -> Appeal:
    """Appeal against a sanction on the account that is still in force.

    Raises act.not_found, appeal.not_possible, appeal.once, appeal.empty,
    appeal.too_long.
    """
    words = text.strip()
    if not words:
        raise ServiceRefusal(Kind.MALFORMED, "appeal.empty", "Write what is wrong.")
    if len(words) > APPEAL_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "appeal.too_long",
            f"An appeal has at most {APPEAL_LENGTH} characters.",
        )
    rows = Act.objects.select_for_update().filter(id=act_id, subject_id=account_id)
    act = rows.filter(kind__in=SANCTIONS).exclude(state=ActState.PROPOSED).first()
    if act is None or act.state == ActState.DECLINED:
        raise not_found("act")
    if act.state != ActState.IN_FORCE:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "appeal.not_possible",
            "That sanction has been lifted already.",
        )
    if Appeal.objects.filter(act=act).exists():
        raise ServiceRefusal(
            Kind.CONFLICT,
            "appeal.once",
            "You have appealed against this sanction already.",
        )
    appeal = Appeal.objects.create(act=act, account_id=account_id, text=words, at=at)
    audit_add(
        verb="appeal_made",
        at=at,
        actor_id=account_id,
        subject_id=account_id,
        target=f"appeal:{appeal.id}",
        facts={"act": act.id},
    )
    return appeal


@retry_transaction
@transaction.atomic
def appeal_decide(
    *, actor: Actor, appeal_id: str, outcome: str, answer: str, at: datetime
) -> Appeal:
    """Grant an appeal, which undoes the act, or keep the act in force.

    Raises staff.*, appeal.not_found, appeal.decided, appeal.own_decision (the
    moderator did or confirmed the act, or is its subject), act.own_contest,
    appeal.no_such_outcome, act.*.
    """
    if outcome not in Appeal.Outcome.values or len(answer) > ACT_TEXT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "appeal.no_such_outcome",
            f"Choose lifted or upheld; at most {ACT_TEXT_LENGTH} characters of answer.",
        )
    rows = Appeal.objects.select_for_update(of=("self",)).select_related("act")
    appeal = rows.filter(id=appeal_id).first()
    if appeal is None:
        raise not_found("appeal")
    act = appeal.act
    staff = _require_decider(actor, appeal, at)
    lifted = outcome == Appeal.Outcome.LIFTED
    if lifted and act.state == ActState.IN_FORCE:
        act_undo_checked(staff, act.id, "other", answer, "", at)
    appeal.decided_by, appeal.decided_at = staff, at
    appeal.outcome, appeal.answer = outcome, answer
    appeal.save()
    proposals_end_with_appeal(act, staff_id=staff.id, at=at)
    notice_of_appeal(act, lifted=lifted, answer=answer, at=at)
    audit_add(
        verb="appeal_decided",
        at=at,
        actor_id=staff.id,
        subject_id=appeal.account_id,
        target=f"appeal:{appeal.id}",
        facts={"act": act.id, "outcome": outcome},
    )
    return appeal


def _require_decider(actor: Actor, appeal: Appeal, at: datetime) -> Account:
    """Return the staff account if it may decide this appeal and it is undecided."""
    act = appeal.act
    least = max(StaffRole.MODERATOR, RULES[ActKind(act.kind)].role)
    staff = staff_require(actor, least, at=at)
    if appeal.outcome:
        raise ServiceRefusal(
            Kind.CONFLICT, "appeal.decided", "That appeal has been decided already."
        )
    if staff.id in (act.by_id, act.second_id, act.subject_id):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "appeal.own_decision",
            "A moderator who had a part in the act cannot decide the appeal.",
        )
    require_no_conflict(staff, rule_of(act), act.target)
    return staff
