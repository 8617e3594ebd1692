"""The request for an act, and every check made before an act is written."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet

from game.contest.moderation.acts import (
    MAX_LENGTH,
    RULES,
    ActKind,
    ActRule,
    ActState,
    ActTarget,
)
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Case, Daily, Entrant
from game.models.moderation.acts import ACT_TEXT_LENGTH, NOTE_LENGTH
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.conflicts_of_interest import require_no_conflict, rule_of
from game.services.moderation.effects_case import message_get
from game.services.moderation.effects_run import daily_get, run_get
from game.services.moderation.roles import role_of

# An identical act within this time is taken for a button pressed twice.
REPEAT_WINDOW: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ActRequest:
    """An act that a moderator asks for; `kind` and `reason` are keys.

    `target`: the id of a race, run or daily, or "race:number" of a chat line; empty for
    acts on cases and on accounts (`subject_id`, or the subject of the case). `length`:
    only for timed acts; None is permanent. `text` is shown to the account, `note` only
    to staff.
    """

    kind: str
    reason: str
    subject_id: str | None = None
    case_id: str | None = None
    target: str = ""
    text: str = ""
    note: str = ""
    length: timedelta | None = None


def check_act_request(request: ActRequest) -> ActRule:
    """Check kind, reason, texts and length, and return the rule of the act.

    Raises act.unknown, act.reason_unknown, act.text_too_long, act.length.
    """
    rule = next((RULES[kind] for kind in RULES if kind == request.kind), None)
    if rule is None:
        raise ServiceRefusal(Kind.MALFORMED, "act.unknown", "There is no such act.")
    check_texts(request.reason, request.text, request.note)
    length = request.length
    if length is not None and not (
        rule.is_timed and timedelta(minutes=1) <= length <= MAX_LENGTH
    ):
        raise ServiceRefusal(
            Kind.MALFORMED, "act.length", "This act cannot have that length."
        )
    return rule


def check_texts(reason: str, text: str, note: str) -> None:
    """Check the reason's key and the lengths of the texts.

    Raises act.reason_unknown, act.text_too_long.
    """
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
            f"The text has at most {ACT_TEXT_LENGTH} characters, the note at most"
            f" {NOTE_LENGTH}.",
        )


def daily_lock(rule: ActRule, request: ActRequest) -> None:
    """Lock the daily of the act, if it has one, so that acts on it run one by one.

    Call it first: a daily is locked before cases and accounts. Raises daily.not_found.
    """
    if rule.target is ActTarget.DAILY:
        daily_get(request.target)
        list(Daily.objects.select_for_update().filter(id=request.target))


def case_lock(rule: ActRule, request: ActRequest) -> Case | None:
    """Return the case of the act, locked; None if the act has no case.

    Raises case.not_found.
    """
    if request.case_id is None and rule.target is not ActTarget.CASE:
        return None
    case = Case.objects.select_for_update().filter(id=request.case_id).first()
    if case is None:
        raise not_found("case")
    return case


def subject_lock(
    rule: ActRule, request: ActRequest, case: Case | None
) -> Account | None:
    """Return the account that the act concerns; None for a whole race or daily.

    Locks it, so that acts on one account run one after another (`_accounts_lock`).

    Raises act.no_subject, act.other_subject (the run or chat line belongs to another
    account than the case), and *.not_found.
    """
    if rule.target in (ActTarget.RACE, ActTarget.DAILY):
        _accounts_lock(rule, request.target, None)
        return None
    account_id = _subject_id(rule, request, case)
    if account_id is None:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "act.no_subject",
            "Choose the account to act on.",
        )
    if (
        case is not None
        and rule.target in (ActTarget.RUN, ActTarget.MESSAGE)
        and account_id != case.subject_id
    ):
        # The target may come from a report, where the reporter typed it.
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.other_subject",
            "That does not belong to the account that the case is about.",
        )
    subject = _accounts_lock(rule, request.target, account_id).get(account_id)
    if subject is None:
        raise not_found("account")
    return subject


def _accounts_lock(
    rule: ActRule, target: str, subject_id: str | None
) -> dict[str, Account]:
    """Lock the subject and the entrants of the race acted on; return them by id.

    Acts on a race notify its entrants, which writes to their accounts. All acts lock
    accounts before the race and in the order of their ids, so they cannot deadlock.
    """
    ids = {subject_id}
    if rule.target in (ActTarget.RACE, ActTarget.ENTRANT):
        entrants = Entrant.objects.filter(race_id=target)
        ids |= set(entrants.values_list("account_id", flat=True))
    # `no_key`: other transactions may still insert rows that refer to the accounts.
    rows = Account.objects.select_for_update(no_key=True)
    accounts = rows.filter(id__in=ids - {None}).order_by("id")
    return {account.id: account for account in accounts}


def _subject_id(rule: ActRule, request: ActRequest, case: Case | None) -> str | None:
    if rule.target is ActTarget.MESSAGE:
        return str(message_get(request.target).account_id)
    if rule.target is ActTarget.RUN:
        return str(run_get(request.target).account_id)
    if case is not None and (
        rule.target is ActTarget.CASE or request.subject_id is None
    ):
        return str(case.subject_id)
    return request.subject_id


def require_lower_role(staff: Account, subject: Account | None) -> None:
    """Require a subject other than the moderator, with a lower role.

    Raises act.own, act.rank.
    """
    if subject is None:
        return
    if subject.id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.own", "You cannot act on your own account."
        )
    if role_of(subject) >= role_of(staff):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.rank",
            "That account's role is as high as yours, or higher.",
        )


def require_may_decline(staff: Account, act: Act) -> None:
    """Require the moderator who proposed the act, or one who could confirm it.

    Raises act.own, act.rank, act.own_contest.
    """
    if act.by_id == staff.id:
        return
    require_lower_role(staff, act.subject)
    require_no_conflict(staff, rule_of(act), act.target)


def require_not_in_force(act: Act) -> None:
    """Refuse a second act of one kind on one target. Raises act.already."""
    if _same_acts(act, ActState.IN_FORCE).exists():
        raise ServiceRefusal(
            Kind.CONFLICT, "act.already", "That act is in force already."
        )


def require_not_proposed(act: Act) -> None:
    """Refuse a second proposal of one kind on one target. Raises act.proposed."""
    if _same_acts(act, ActState.PROPOSED).exists():
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.proposed",
            "Another moderator has proposed that. Confirm or decline their proposal.",
        )


def _same_acts(act: Act, state: ActState) -> QuerySet[Act]:
    """Acts in that state that leave nothing to do for this one.

    None for those of which several make sense: timed acts may overlap, warnings and
    renames may be repeated, and a closed case is refused by its own effect.
    """
    rule = RULES[ActKind(act.kind)]
    if (
        rule.is_timed
        or act.kind in (ActKind.WARN, ActKind.RENAME)
        or rule.target is ActTarget.CASE
    ):
        return Act.objects.none()
    return Act.objects.filter(
        kind=act.kind, state=state, target=act.target, subject_id=act.subject_id
    )


def require_not_repeated(act: Act) -> None:
    """Refuse an identical act by the same moderator within a minute.

    Raises act.twice.
    """
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
        made_at__gt=act.made_at - REPEAT_WINDOW,
        made_at__lte=act.made_at,
    )
    if same.exists():
        raise ServiceRefusal(
            Kind.CONFLICT, "act.twice", "You did exactly that less than a minute ago."
        )


def require_not_reporter(staff: Account, rule: ActRule, case: Case | None) -> None:
    """Refuse to uphold a case that the moderator reported. Raises act.own_report."""
    if case is None or rule.kind is not ActKind.CLOSE:
        return
    if case.reports.filter(reporter=staff).exists():
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.own_report",
            "A moderator cannot close a case that they reported.",
        )


def require_may_undo(staff: Account, act: Act) -> None:
    """Require that no higher role did the act. An appeal can still lift it.

    Raises act.rank.
    """
    if role_of(act.by) > role_of(staff):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.rank",
            "A role higher than yours did that. Only an appeal can undo it.",
        )


def act_lock(act_id: str, state: ActState, code: str) -> Act:
    """Return the act, locked together with the accounts that it concerns.

    Raises act.not_found, and `code` if the act is in another state.
    """
    rows = Act.objects.select_for_update(of=("self",)).select_related("subject", "case")
    act = rows.filter(id=act_id).first()
    if act is None:
        raise not_found("act")
    if act.state != state:
        raise ServiceRefusal(
            Kind.CONFLICT, code, f"That act is {act.state.replace('_', ' ')}."
        )
    _accounts_lock(rule_of(act), act.target, act.subject_id)
    return act
