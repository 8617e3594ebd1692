"""Acts of moderators: do, propose, confirm, decline and undo them.

An act that needs a second moderator is a proposal, without effect until another
moderator confirms it; `proposals` says when it ends unconfirmed. Each act is one
transaction: checks, row, effect, notices, and last the entry in the audit log.
"""

from datetime import datetime, timedelta

from django.db import transaction

from game.contest.moderation.acts import (
    RULES,
    ActKind,
    ActRule,
    ActState,
    ActTarget,
    role_needed,
)
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act
from game.models.moderation.acts import NOTE_LENGTH
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.retry import retry_transaction
from game.services.moderation.act_checks import (
    ActRequest,
    act_lock,
    case_lock,
    check_act_request,
    check_texts,
    daily_lock,
    require_lower_role,
    require_may_decline,
    require_may_undo,
    require_not_in_force,
    require_not_proposed,
    require_not_repeated,
    require_not_reporter,
    subject_lock,
)
from game.services.moderation.act_log import act_log
from game.services.moderation.conflicts_of_interest import require_no_conflict, rule_of
from game.services.moderation.effects import EFFECTS
from game.services.moderation.effects_account import account_withdraw
from game.services.moderation.notices import notice_of_act, notice_of_lift
from game.services.moderation.proposals import proposals_end_with_case
from game.services.moderation.roles import Actor, staff_require
from game.services.moderation.second_moderator import (
    act_needs_second,
    require_other_second,
)
from game.services.races.timeouts import race_try_advance

# Acts after which the account leaves queues and races that have not started.
_WITHDRAWING = frozenset(
    {ActKind.BAN, ActKind.SUSPEND, ActKind.SUSPEND_RATED, ActKind.MARK_CHEAT}
)
_CLOSING = (ActKind.DISMISS, ActKind.CLOSE)
_TARGETS_WITH_ID = frozenset(ActTarget) - {ActTarget.ACCOUNT, ActTarget.CASE}
_RACE_TARGETS = (ActTarget.RACE, ActTarget.ENTRANT)


def act_do(*, actor: Actor, request: ActRequest, at: datetime) -> Act:
    """Do an act, or propose it if a second moderator must confirm it (see `state`).

    Raises staff.*, act.unknown, act.reason_unknown, act.text_too_long, act.length,
    act.no_subject, act.own, act.rank, act.own_contest, act.own_report,
    act.other_subject, act.already, act.proposed, act.twice, act.race_phase,
    act.run_playing, case.not_found, case.closed, daily.not_settled,
    {account,run,race,entrant,message,daily}.not_found.
    """
    rule = check_act_request(request)
    staff = staff_require(actor, role_needed(rule.kind, request.length), at=at)
    return _follow_up(_do_or_propose(staff, rule, request, at), at)


@retry_transaction
@transaction.atomic
def _do_or_propose(
    staff: Account, rule: ActRule, request: ActRequest, at: datetime
) -> Act:
    daily_lock(rule, request)
    case = case_lock(rule, request)
    subject = subject_lock(rule, request, case)
    require_lower_role(staff, subject)
    require_no_conflict(staff, rule, request.target)
    require_not_reporter(staff, rule, case)
    length = request.length
    act = Act(
        kind=rule.kind,
        state=ActState.PROPOSED,
        case=case,
        subject=subject,
        target=request.target if rule.target in _TARGETS_WITH_ID else "",
        by=staff,
        reason=request.reason,
        text=request.text,
        note=request.note,
        length_s=int(length.total_seconds()) if length else None,
        made_at=at,
    )
    require_not_in_force(act)
    require_not_repeated(act)
    is_proposal = act_needs_second(act)
    if is_proposal:
        require_not_proposed(act)
    if is_proposal and case is not None and case.closed_at is not None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "case.closed",
            "Reopen the case before you propose an act in it.",
        )
    act.save(force_insert=True)
    if is_proposal:
        act_log(act, "proposed", staff.id, at=at)
    else:
        _put_in_force(act, staff, at)
    return act


def act_confirm(*, actor: Actor, act_id: str, at: datetime) -> Act:
    """Confirm another moderator's proposal: the act takes effect now.

    Raises staff.*, act.not_found, act.not_proposed, act.second_same, act.second_linked,
    act.own, act.rank, act.own_contest, and the refusals of the act's effect.
    """
    staff = staff_require(actor, StaffRole.MODERATOR, at=at)
    return _follow_up(_confirm(staff, act_id, at), at)


@retry_transaction
@transaction.atomic
def _confirm(staff: Account, act_id: str, at: datetime) -> Act:
    act = act_lock(act_id, ActState.PROPOSED, "act.not_proposed")
    require_other_second(staff, act)
    require_lower_role(staff, act.subject)
    require_no_conflict(staff, rule_of(act), act.target)
    require_not_in_force(act)
    act.second = staff
    _put_in_force(act, staff, at)
    return act


@transaction.atomic
def act_decline(*, actor: Actor, act_id: str, at: datetime, note: str = "") -> Act:
    """Decline a proposal, or withdraw one's own.

    Raises staff.*, act.not_found, act.not_proposed, act.own, act.rank,
    act.own_contest.
    """
    staff = staff_require(actor, StaffRole.MODERATOR, at=at)
    act = act_lock(act_id, ActState.PROPOSED, "act.not_proposed")
    require_may_decline(staff, act)
    act.state = ActState.DECLINED
    act.note = f"{act.note}\n{note}".strip()[:NOTE_LENGTH]
    act.save(update_fields=["state", "note"])
    act_log(act, "declined", staff.id, at=at)
    return act


def act_undo(
    *,
    actor: Actor,
    act_id: str,
    reason: str,
    at: datetime,
    text: str = "",
    note: str = "",
) -> Act:
    """Undo an act in force and return the inverse act.

    Raises staff.*, act.not_found, act.not_in_force, act.reason_unknown,
    act.text_too_long, act.own, act.rank, act.own_contest, and the refusals of the
    inverse's effect.
    """
    act = Act.objects.filter(id=act_id).first()
    if act is None or ActKind(act.kind) not in RULES:
        raise not_found("act")
    rule = RULES[ActKind(act.kind)]
    check_texts(reason, text, note)
    length = timedelta(seconds=act.length_s) if act.length_s else None
    staff = staff_require(actor, role_needed(rule.kind, length), at=at)
    require_may_undo(staff, act)
    return _follow_up(act_undo_checked(staff, act_id, reason, text, note, at), at)


@retry_transaction
@transaction.atomic
def act_undo_checked(
    staff: Account, act_id: str, reason: str, text: str, note: str, at: datetime
) -> Act:
    """Undo an act for staff whose role was checked. A lifted appeal calls this too."""
    act = act_lock(act_id, ActState.IN_FORCE, "act.not_in_force")
    require_lower_role(staff, act.subject)
    rule = RULES[ActKind(act.kind)]
    require_no_conflict(staff, rule, act.target)
    inverse = Act(
        kind=rule.inverse,
        state=ActState.IN_FORCE,
        case=act.case,
        subject=act.subject,
        target=act.target,
        by=staff,
        reason=reason,
        text=text,
        note=note,
        made_at=at,
        at=at,
        undoes=act,
    )
    inverse.save(force_insert=True)
    act.state, act.undone_at = ActState.UNDONE, at
    act.save(update_fields=["state", "undone_at"])
    EFFECTS[rule.kind].undo(act)
    if rule.is_sanction and act.subject_id is not None:
        notice_of_lift(act, [act.subject_id], at=at)
    act_log(inverse, inverse.kind, staff.id, at=at)
    return inverse


def _put_in_force(act: Act, staff: Account, at: datetime) -> None:
    rule = RULES[ActKind(act.kind)]
    act.state, act.at = ActState.IN_FORCE, at
    if rule.is_timed and act.length_s is not None:
        act.until = at + timedelta(seconds=act.length_s)
    act.save()
    EFFECTS[rule.kind].do(act)
    act.save(update_fields=["facts"])
    if rule.kind in _CLOSING and act.case_id is not None:
        proposals_end_with_case(act.case_id, staff_id=staff.id, at=at)
    if rule.is_sanction and act.subject_id is not None:
        notice_of_act(act, [act.subject_id], at=at)
    act_log(act, act.kind, staff.id, at=at)


def _follow_up(act: Act, at: datetime) -> Act:
    """Do what follows an act in separate transactions, and return the act."""
    kind = ActKind(act.kind)
    if act.state == ActState.IN_FORCE and kind in _WITHDRAWING and act.subject_id:
        account_withdraw(act.subject_id, kind, at=at)
    if act.state == ActState.IN_FORCE and rule_of(act).target in _RACE_TARGETS:
        race_try_advance(act.target, at=at)
    return act
