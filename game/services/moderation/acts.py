"""The one way in for whatever moderators do: ask who may, act, tell, log; and back.

An act that needs a second moderator is proposed and does nothing until another confirms
it. Everything of an act is one transaction, the log's entry last.
"""

import hashlib
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from game.contest.moderation.acts import (
    RULES,
    ActKind,
    ActRule,
    ActState,
    ActTarget,
    needs_second_moderator,
    role_needed,
)
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act
from game.models.moderation.acts import NOTE_LENGTH
from game.services.core.errors import not_found
from game.services.core.retry import retry_transaction
from game.services.moderation.act_checks import (
    ActAsked,
    act_locked,
    asked_rightly,
    case_of,
    may_act_on,
    may_decline,
    may_second,
    may_undo,
    not_own_report,
    not_sent_twice,
    not_twice,
    subject_of,
    was_lifted,
    words_rightly,
)
from game.services.moderation.audit import audit_add
from game.services.moderation.conflicts_of_interest import not_party, rule_of
from game.services.moderation.effect_context import Effected
from game.services.moderation.effects import EFFECTS
from game.services.moderation.effects_account import account_withdraw
from game.services.moderation.notices import notice_of_act, notice_of_lift
from game.services.moderation.roles import Actor, staff_require
from game.services.races.timeouts import race_due_soon

_WITHDRAWS = {
    *(ActKind.BAN, ActKind.SUSPEND, ActKind.SUSPEND_RATED, ActKind.MARK_CHEAT),
}
_RACES = (ActTarget.RACE, ActTarget.ENTRANT)


def act_do(*, actor: Actor, asked: ActAsked, at: datetime) -> Act:
    """Do an act, or propose it where a second moderator must agree (`state` says).

    Raises staff.*, act.unknown, act.reason_unknown, act.text_too_long, act.length,
    act.no_subject, act.own, act.rank, act.own_contest, act.own_report,
    act.other_subject, act.already, act.twice, act.race_phase, act.run_playing,
    case.not_found, case.closed, daily.not_settled,
    {account,run,race,entrant,message,daily}.not_found.
    """
    rule = asked_rightly(asked)
    staff = staff_require(actor, role_needed(rule.kind, asked.length), at=at)
    return _afterwards(_make(staff, rule, asked, at), at)


@retry_transaction
@transaction.atomic
def _make(staff: Account, rule: ActRule, asked: ActAsked, at: datetime) -> Act:
    case = case_of(rule, asked)
    subject = subject_of(rule, asked, case)
    may_act_on(staff, subject)
    not_party(staff, rule, asked.target)
    not_own_report(staff, rule, case)
    length = asked.length
    act = Act(
        kind=rule.kind,
        state=ActState.PROPOSED,
        case=case,
        subject=subject,
        target=""
        if rule.target in (ActTarget.ACCOUNT, ActTarget.CASE)
        else asked.target,
        by=staff,
        reason=asked.reason,
        text=asked.text,
        note=asked.note,
        length_s=int(length.total_seconds()) if length else None,
        made_at=at,
    )
    not_twice(act)
    not_sent_twice(act)
    alone = not needs_second_moderator(rule.kind, length) and not was_lifted(act)
    act.save(force_insert=True)
    if not alone:
        _log(act, "proposed", staff, at)
    else:
        _carry_out(act, staff, at)
    return act


def act_confirm(*, actor: Actor, act_id: str, at: datetime) -> Act:
    """Agree to what another moderator proposed: it is done now.

    Raises staff.*, act.not_found, act.not_proposed, act.second_same, act.second_linked,
    act.own, act.rank, act.own_contest, and what the act itself does.
    """
    staff = staff_require(actor, StaffRole.MODERATOR, at=at)
    return _afterwards(_confirm(staff, act_id, at), at)


@retry_transaction
@transaction.atomic
def _confirm(staff: Account, act_id: str, at: datetime) -> Act:
    act = act_locked(act_id, ActState.PROPOSED, "act.not_proposed")
    may_second(staff, act)
    may_act_on(staff, act.subject)
    not_party(staff, rule_of(act), act.target)
    not_twice(act)
    act.second = staff
    _carry_out(act, staff, at)
    return act


@transaction.atomic
def act_decline(*, actor: Actor, act_id: str, at: datetime, note: str = "") -> Act:
    """Turn a proposal down, or take one's own back.

    Raises staff.*, act.not_found, act.not_proposed, act.own, act.rank,
    act.own_contest.
    """
    staff = staff_require(actor, StaffRole.MODERATOR, at=at)
    act = act_locked(act_id, ActState.PROPOSED, "act.not_proposed")
    may_decline(staff, act)
    act.state = ActState.DECLINED
    act.note = f"{act.note}\n{note}".strip()[:NOTE_LENGTH]
    act.save(update_fields=["state", "note"])
    _log(act, "declined", staff, at)
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
    """Take an act in force back by its inverse, which is returned.

    Raises staff.*, act.not_found, act.not_in_force, act.reason_unknown,
    act.text_too_long, act.own, act.rank, act.own_contest, and what the
    way back itself does.
    """
    found = Act.objects.filter(id=act_id).first()
    if found is None or ActKind(found.kind) not in RULES:
        raise not_found("act")
    rule = RULES[ActKind(found.kind)]
    words_rightly(reason, text, note)
    length = timedelta(seconds=found.length_s) if found.length_s else None
    staff = staff_require(actor, role_needed(rule.kind, length), at=at)
    may_undo(staff, found)
    return _afterwards(act_take_back(staff, act_id, reason, text, note, at), at)


@retry_transaction
@transaction.atomic
def act_take_back(
    staff: Account, act_id: str, reason: str, text: str, note: str, at: datetime
) -> Act:
    """The same by staff already asked for, inside an appeal's transaction too."""
    act = act_locked(act_id, ActState.IN_FORCE, "act.not_in_force")
    may_act_on(staff, act.subject)
    rule = RULES[ActKind(act.kind)]
    not_party(staff, rule, act.target)
    by = Act(
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
    by.save(force_insert=True)
    act.state, act.undone_at = ActState.UNDONE, at
    act.save(update_fields=["state", "undone_at"])
    EFFECTS[rule.kind].undo(Effected(act, by, at))
    if rule.sanction and act.subject_id is not None:
        notice_of_lift(act, [act.subject_id], at=at)
    _log(by, by.kind, staff, at)
    return by


def _carry_out(act: Act, staff: Account, at: datetime) -> None:
    rule = RULES[ActKind(act.kind)]
    act.state, act.at = ActState.IN_FORCE, at
    if rule.timed and act.length_s is not None:
        act.until = at + timedelta(seconds=act.length_s)
    act.save()
    EFFECTS[rule.kind].do(Effected(act, act, at))
    act.save(update_fields=["facts"])
    if rule.sanction and act.subject_id is not None:
        notice_of_act(act, [act.subject_id], at=at)
    _log(act, act.kind, staff, at)


def _afterwards(act: Act, at: datetime) -> Act:
    """What is not the act itself, each in transactions of its own."""
    kind = ActKind(act.kind)
    if act.state == ActState.IN_FORCE and kind in _WITHDRAWS and act.subject_id:
        account_withdraw(act.subject_id, kind, at=at)
    if act.state == ActState.IN_FORCE and rule_of(act).target in _RACES:
        race_due_soon(act.target, at=at)
    return act


def _log(act: Act, verb: str, staff: Account, at: datetime) -> None:
    facts: dict[str, Any] = {
        "kind": act.kind,
        "reason": act.reason,
        "on": act.target,
        "case": act.case_id,
        "length_s": act.length_s,
        "second": act.second_id,
        "undoes": act.undoes_id,
        # The words may be erased with their account; that they were these, not.
        "text": hashlib.sha256(act.text.encode()).hexdigest(),
    }
    audit_add(
        verb=verb,
        at=at,
        actor_id=staff.id,
        subject_id=act.subject_id,
        target=f"act:{act.id}",
        facts=facts,
    )
