"""Reports: what players say of each other, gathered into cases."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Q

from game.contest.moderation.reasons import CaseKind, ReportSource, reporter_weight
from game.models import Account, Case, Entrant, Report, Run
from game.models.moderation.cases import REPORT_LENGTH
from game.selectors.accounts.accounts import player_find
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.flags import case_touch
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.moderation.effects_case import message_of
from game.services.races.bots import GHOST, PLAYER_OF

# Closed cases keep their reports' texts so long; then only that there was one.
KEPT_FOR: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """A report as a player makes it.

    `target` is what `place` says: a race's id, a run's, "race:number" of a chat line;
    empty for a profile or a name.
    """

    player: str
    kind: str
    place: str
    target: str = ""
    text: str = ""


def report_make(*, reporter: Account, asked: ReportAsked, at: datetime) -> Report:
    """Report a player. What was seen is kept as it was; the subject is not told.

    Raises player.not_found, report.own, report.house, report.target_not_found,
    report.target_unwanted, report.already (one a case), report.too_long,
    account.banned.
    """
    require_allowed(reporter, Activity.ANYTHING, at=at)
    subject = player_find(asked.player, at=at)
    if subject is None:
        raise not_found("player")
    if subject.id == reporter.id:
        raise ServiceRefusal(Kind.CONFLICT, "report.own", "That is your own account.")
    if subject.id in PLAYER_OF or subject.id == GHOST.account_id:
        raise ServiceRefusal(
            Kind.CONFLICT, "report.house", "House players are programs of this site."
        )
    if len(asked.text) > REPORT_LENGTH:
        raise ServiceRefusal(
            Kind.MALFORMED, "report.too_long", f"At most {REPORT_LENGTH} characters."
        )
    seen = _seen(subject, ReportSource(asked.place), asked.target)
    return _make(reporter, subject, asked, seen, at)


@retry_transaction
@transaction.atomic
def _make(
    reporter: Account, subject: Account, asked: ReportAsked, seen: str, at: datetime
) -> Report:
    kind = CaseKind(asked.kind)
    before = Report.objects.filter(
        reporter=reporter, case__subject=subject, case__kind=kind, case__closed_at=None
    )
    if before.exists():
        raise ServiceRefusal(
            Kind.CONFLICT,
            "report.already",
            "You have reported that already; it is being looked at.",
        )
    weight = reporters_weight(reporter)
    case = case_touch(subject_id=subject.id, kind=kind, weight=weight, at=at)
    return Report.objects.create(
        case=case,
        reporter=reporter,
        place=asked.place,
        target=asked.target,
        text=asked.text.strip(),
        seen=seen[:200],
        weight=weight,
        at=at,
    )


def reporters_weight(reporter: Account) -> float:
    """How much the account's word counts, by what came of its reports so far."""
    record = Report.objects.filter(reporter=reporter).aggregate(
        upheld=Count("id", filter=Q(outcome=Case.Outcome.UPHELD)),
        dismissed=Count("id", filter=Q(outcome=Case.Outcome.DISMISSED)),
    )
    return reporter_weight(
        record["upheld"], record["dismissed"], is_guest=reporter.is_guest
    )


def _seen(subject: Account, place: ReportSource, target: str) -> str:
    """What was there to see, if that has to do with the player."""
    if place in (ReportSource.PROFILE, ReportSource.NAME):
        if target:
            raise ServiceRefusal(
                Kind.MALFORMED,
                "report.target_unwanted",
                "A profile or a name has nothing else to name.",
            )
        return str(subject.name)
    if place is ReportSource.CHAT:
        try:
            message = message_of(target)
        except ServiceRefusal as refusal:
            raise _no_target() from refusal
        is_his = message.account_id == subject.id
        seen = message.text or message.phrase
    elif place is ReportSource.RACE:
        is_his = Entrant.objects.filter(race_id=target, account=subject).exists()
        seen = ""
    else:
        is_his = Run.objects.filter(id=target, account=subject).exists()
        seen = ""
    if not is_his:
        raise _no_target()
    return seen


def _no_target() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.NOT_FOUND, "report.target_not_found", "There is no such thing of theirs."
    )


def reports_prune(*, at: datetime, most: int = 500) -> int:
    """Take the words out of reports whose case was closed a year ago; how many."""
    old = Report.objects.filter(case__closed_at__lte=at - KEPT_FOR).exclude(
        text="", seen=""
    )
    keys = list(old.values_list("pk", flat=True)[:most])
    return Report.objects.filter(pk__in=keys).update(text="", seen="")
