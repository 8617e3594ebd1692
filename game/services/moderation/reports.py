"""Reports of players by players, gathered in cases."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Q

from game.contest.moderation.reasons import (
    NEW_GUEST_FOR,
    CaseKind,
    ReporterKind,
    ReportSource,
    reporter_weight,
    weight_in_case,
)
from game.models import Account, Case, Entrant, Report, Run
from game.models.moderation.cases import REPORT_LENGTH
from game.selectors.accounts.accounts import player_find
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.flags import case_open_or_extend
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.moderation.effects_case import message_get
from game.services.races.bots import GHOST_BOT, PLAYER_KEYS

# How long the texts of reports are kept after their case is closed.
TEXT_KEPT_FOR: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A report that a player sends.

    `target` depends on `place`: a race id, a run id, "race:number" of a chat line;
    empty for a profile or a name.
    """

    player: str
    kind: str
    place: str
    target: str = ""
    text: str = ""


def report_make(*, reporter: Account, request: ReportRequest, at: datetime) -> Report:
    """Report a player. Keeps a copy of the reported text; the player is not notified.

    Raises player.not_found, report.own, report.house, report.target_not_found,
    report.target_unwanted, report.already (one for each case), report.too_long,
    account.banned.
    """
    require_allowed(reporter, Activity.ANYTHING, at=at)
    subject = player_find(request.player, at=at)
    if subject is None:
        raise not_found("player")
    if subject.id == reporter.id:
        raise ServiceRefusal(
            Kind.CONFLICT, "report.own", "You cannot report your own account."
        )
    if subject.id in PLAYER_KEYS or subject.id == GHOST_BOT.account_id:
        raise ServiceRefusal(
            Kind.CONFLICT, "report.house", "Bots of this site cannot be reported."
        )
    if len(request.text) > REPORT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED,
            "report.too_long",
            f"A report has at most {REPORT_LENGTH} characters.",
        )
    text = _reported_text(subject, ReportSource(request.place), request.target)
    return _make(reporter, subject, request, text, at)


@retry_transaction
@transaction.atomic
def _make(
    reporter: Account, subject: Account, request: ReportRequest, text: str, at: datetime
) -> Report:
    kind = CaseKind(request.kind)
    before = Report.objects.filter(
        reporter=reporter, case__subject=subject, case__kind=kind, case__closed_at=None
    )
    if before.exists():
        raise ServiceRefusal(
            Kind.CONFLICT,
            "report.already",
            "You have reported that already. A moderator will review it.",
        )
    case = case_open_or_extend(subject_id=subject.id, kind=kind, weight=0.0, at=at)
    # Locked, so that concurrent reports of guests do not pass their common limit.
    case = Case.objects.select_for_update().get(id=case.id)
    weight = weight_in_case(
        report_weight(reporter, at=at),
        _reporter_kind(reporter, at),
        sum(
            case.reports.filter(reporter__is_guest=True).values_list(
                "weight", flat=True
            )
        ),
    )
    case.weight += weight
    case.save(update_fields=["weight"])
    return Report.objects.create(
        case=case,
        reporter=reporter,
        place=request.place,
        target=request.target,
        text=request.text.strip(),
        seen=text[:200],
        weight=weight,
        at=at,
    )


def report_weight(reporter: Account, *, at: datetime) -> float:
    """Return the weight of a report by this account, from its closed reports."""
    record = Report.objects.filter(reporter=reporter).aggregate(
        upheld=Count("id", filter=Q(outcome=Case.Outcome.UPHELD)),
        dismissed=Count("id", filter=Q(outcome=Case.Outcome.DISMISSED)),
    )
    kind = _reporter_kind(reporter, at)
    return reporter_weight(record["upheld"], record["dismissed"], kind)


def _reporter_kind(reporter: Account, at: datetime) -> ReporterKind:
    if not reporter.is_guest:
        return ReporterKind.ACCOUNT
    is_new = reporter.created_at > at - NEW_GUEST_FOR
    return ReporterKind.NEW_GUEST if is_new else ReporterKind.GUEST


def _reported_text(subject: Account, place: ReportSource, target: str) -> str:
    """Return a copy of what is reported. Raises report.target_* unless it is theirs."""
    if place in (ReportSource.PROFILE, ReportSource.NAME):
        if target:
            raise ServiceRefusal(
                Kind.MALFORMED,
                "report.target_unwanted",
                "A report of a profile or a name has no target.",
            )
        return str(subject.name)
    if place is ReportSource.CHAT:
        try:
            message = message_get(target)
        except ServiceRefusal as refusal:
            raise _target_not_found() from refusal
        is_theirs = message.account_id == subject.id
        text = message.text or message.phrase
    elif place is ReportSource.RACE:
        is_theirs = Entrant.objects.filter(race_id=target, account=subject).exists()
        text = ""
    else:
        is_theirs = Run.objects.filter(id=target, account=subject).exists()
        text = ""
    if not is_theirs:
        raise _target_not_found()
    return text


def _target_not_found() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.NOT_FOUND,
        "report.target_not_found",
        "That player has no such race, run or chat line.",
    )


def reports_prune(*, at: datetime, most: int = 500) -> int:
    """Delete the texts of reports whose case was closed a year ago; return how many."""
    old = Report.objects.filter(case__closed_at__lte=at - TEXT_KEPT_FOR).exclude(
        text="", seen=""
    )
    keys = list(old.values_list("pk", flat=True)[:most])
    return Report.objects.filter(pk__in=keys).update(text="", seen="")
