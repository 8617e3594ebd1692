"""An act as a moderator asks for it, and what is refused before anything is written."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Q

from game.contest.moderation.acts import (
    MAX_LENGTH,
    RULES,
    ActKind,
    ActRule,
    ActState,
    ActTarget,
)
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Appeal, Case
from game.models.moderation.acts import ACT_TEXT_LENGTH, NOTE_LENGTH
from game.selectors.moderation.cases import linked_accounts
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.conflicts_of_interest import not_party, rule_of
from game.services.moderation.effects_case import message_of
from game.services.moderation.effects_run import daily_of, run_of
from game.services.moderation.roles import role_of

# The same act sent again so soon is a button pressed twice.
SAME_WITHIN: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ActAsked:
    """An act as a moderator wants it: `kind` and `reason` are keys.

    `target`: a race's, run's or daily's id, "race:number" of a chat line; empty for
    acts on accounts (`subject_id`, or the case's) and cases. `length`: of a timed act;
    None is for good. `text` is told to the account, `note` to staff only.
    """

    kind: str
    reason: str
    subject_id: str | None = None
    case_id: str | None = None
    target: str = ""
    text: str = ""
    note: str = ""
    length: timedelta | None = None


def asked_rightly(asked: ActAsked) -> ActRule:
    """The act's rule, if the form of what is asked is right.

    Raises act.unknown, act.reason_unknown, act.text_too_long, act.length.
    """
    rule = next((RULES[one] for one in RULES if one == asked.kind), None)
    if rule is None:
        raise ServiceRefusal(Kind.MALFORMED, "act.unknown", "There is no such act.")
    words_rightly(asked.reason, asked.text, asked.note)
    length = asked.length
    if length is not None and not (
        rule.timed and timedelta(minutes=1) <= length <= MAX_LENGTH
    ):
        raise ServiceRefusal(
            Kind.MALFORMED, "act.length", "That act cannot last so long."
        )
    return rule


def words_rightly(reason: str, text: str, note: str) -> None:
    """Raises act.reason_unknown, act.text_too_long."""
    if reason not in REASONS:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "act.reason_unknown",
            "There is no such reason.",
            {"known": list(REASONS)},
        )
    if len(text) > ACT_TEXT_LENGTH or len(note) > NOTE_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "act.text_too_long",
            f"At most {ACT_TEXT_LENGTH} characters of text and {NOTE_LENGTH} of note.",
        )


def case_of(rule: ActRule, asked: ActAsked) -> Case | None:
    """The case, locked. Raises case.not_found, also where an act on a case has none."""
    if asked.case_id is None and rule.target is not ActTarget.CASE:
        return None
    found = Case.objects.select_for_update().filter(id=asked.case_id).first()
    if found is None:
        raise not_found("case")
    return found


def subject_of(rule: ActRule, asked: ActAsked, case: Case | None) -> Account | None:
    """Whom the act is about, locked: two acts on one account come one by one.

    None for a race or a daily as a whole. Raises act.no_subject, act.other_subject
    (a run or a line of somebody whom the case is not about), and *.not_found.
    """
    if rule.target is ActTarget.DAILY:
        daily_of(asked.target)
    if rule.target in (ActTarget.RACE, ActTarget.DAILY):
        return None
    account_id = _subject_id(rule, asked, case)
    if account_id is None:
        raise ServiceRefusal(
            Kind.MALFORMED, "act.no_subject", "Say whom the act is about."
        )
    if (
        case is not None
        and rule.target in (ActTarget.RUN, ActTarget.MESSAGE)
        and account_id != case.subject_id
    ):
        # What a report names was typed by its reporter.
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.other_subject",
            "That is not of the account that the case is about.",
        )
    # Without its key: whoever says or enters something meanwhile is not kept waiting.
    rows = Account.objects.select_for_update(no_key=True)
    found = rows.filter(id=account_id).first()
    if found is None:
        raise not_found("account")
    return found


def _subject_id(rule: ActRule, asked: ActAsked, case: Case | None) -> str | None:
    if rule.target is ActTarget.MESSAGE:
        return str(message_of(asked.target).account_id)
    if rule.target is ActTarget.RUN:
        return str(run_of(asked.target).account_id)
    if case is not None and (rule.target is ActTarget.CASE or asked.subject_id is None):
        return str(case.subject_id)
    return asked.subject_id


def may_act_on(staff: Account, subject: Account | None) -> None:
    """Nobody acts on himself or his equals. Raises act.own, act.rank."""
    if subject is None:
        return
    if subject.id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.own", "Nobody acts on his own account."
        )
    if role_of(subject) >= role_of(staff):
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.rank", "That account's role is as high as yours."
        )


def may_decline(staff: Account, act: Act) -> None:
    """One's own proposal may be taken back; another's be turned down by whoever might
    have agreed to it. Raises act.own, act.rank, act.own_contest.
    """
    if act.by_id == staff.id:
        return
    may_act_on(staff, act.subject)
    not_party(staff, rule_of(act), act.target)


def not_twice(act: Act) -> None:
    """One act of a kind on one thing; bars of different lengths may overlap, warnings
    add up. Raises act.already.
    """
    rule = RULES[ActKind(act.kind)]
    if rule.timed or act.kind in (ActKind.WARN, ActKind.RENAME):
        return
    same = Act.objects.filter(
        kind=act.kind,
        state=ActState.IN_FORCE,
        target=act.target,
        subject_id=act.subject_id,
    )
    if rule.target is ActTarget.CASE:
        return  # a closed case says so itself
    if same.exists():
        raise ServiceRefusal(Kind.CONFLICT, "act.already", "That is in force already.")


def not_sent_twice(act: Act) -> None:
    """The same by the same a moment ago is a button pressed twice. Raises act.twice."""
    same = Act.objects.filter(
        kind=act.kind,
        state__in=(ActState.PROPOSED, ActState.IN_FORCE),
        subject_id=act.subject_id,
        case_id=act.case_id,
        by_id=act.by_id,
        target=act.target,
        length_s=act.length_s,
        reason=act.reason,
        text=act.text,
        made_at__gt=act.made_at - SAME_WITHIN,
        made_at__lte=act.made_at,
    )
    if same.exists():
        raise ServiceRefusal(
            Kind.CONFLICT, "act.twice", "You did just that within this minute."
        )


def not_own_report(staff: Account, rule: ActRule, case: Case | None) -> None:
    """Nobody finds himself in the right. Raises act.own_report."""
    if case is None or rule.kind is not ActKind.CLOSE:
        return
    if case.reports.filter(reporter=staff).exists():
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.own_report",
            "You reported that yourself: somebody else must close the case.",
        )


def was_lifted(act: Act) -> bool:
    """Whether an appeal has lifted such an act, on the same, of the same moderator's.

    Then he does not lay it again alone.
    """
    lifted = Act.objects.filter(
        kind=act.kind,
        subject_id=act.subject_id,
        target=act.target,
        appeal__outcome=Appeal.Outcome.LIFTED,
    )
    return lifted.filter(Q(by_id=act.by_id) | Q(second_id=act.by_id)).exists()


def may_second(staff: Account, act: Act) -> None:
    """The second is somebody else. Raises act.second_same, act.second_linked."""
    if act.by_id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.second_same", "Another moderator must agree to it."
        )
    if any(one["id"] == staff.id for one in linked_accounts(act.by_id)):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.second_linked",
            "You share a browser with who proposed it: a third must agree to it.",
        )


def may_undo(staff: Account, act: Act) -> None:
    """What a higher role did is not taken back by a lower one, but through an appeal.

    Raises act.rank.
    """
    if role_of(act.by) > role_of(staff):
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.rank", "That was done by a role higher than yours."
        )


def act_locked(act_id: str, state: ActState, code: str) -> Act:
    """The act, locked, if it stands so. Raises act.not_found, and `code`."""
    rows = Act.objects.select_for_update(of=("self",)).select_related("subject", "case")
    act = rows.filter(id=act_id).first()
    if act is None:
        raise not_found("act")
    if act.state != state:
        raise ServiceRefusal(
            Kind.CONFLICT, code, f"That act is {act.state.replace('_', ' ')}."
        )
    return act
