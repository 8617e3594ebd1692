"""An account's own standing: its sanctions, what it was told, what it reported."""

from datetime import datetime

from game.contest.moderation.acts import RULES, SANCTIONS, ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Appeal, Notice, Report
from game.selectors.core.times import as_text
from game.selectors.moderation import schemas as moderation_schemas

# The gravest first.
_STANDINGS = (
    (ActKind.BAN, "banned"),
    (ActKind.SUSPEND, "suspended"),
    (ActKind.MARK_CHEAT, "limited"),
    (ActKind.SUSPEND_RATED, "limited"),
    (ActKind.MUTE, "limited"),
)
MOST = 100


def standing_show(
    account: Account, *, at: datetime, most: int = MOST
) -> moderation_schemas.Standing:
    """The account's standing, with at most `most` sanctions, notices and reports."""
    acts = list(
        Act.objects.filter(
            subject=account,
            kind__in=SANCTIONS,
            state__in=[ActState.IN_FORCE, ActState.UNDONE],
        )
        .select_related("appeal")
        .order_by("-at", "-id")[:most]
    )
    kinds = {act.kind for act in acts if in_force(act, at)}
    words = (word for kind, word in _STANDINGS if kind in kinds)
    notices = Notice.objects.filter(account=account).order_by("-at", "-id")[:most]
    return {
        "standing": next(words, "good"),
        "sanctions": [sanction_show(act, at=at) for act in acts],
        "notices": [notice_show(one) for one in notices],
        "reports": reports_of(account.id, most=most),
    }


def in_force(act: Act, at: datetime) -> bool:
    """Whether an act holds now: done, not taken back, not run out."""
    return act.state == ActState.IN_FORCE and (act.until is None or act.until > at)


def sanction_show(act: Act, *, at: datetime) -> moderation_schemas.Sanction:
    """A sanction as its account sees it: never who did it, never the staff's note."""
    appeal = getattr(act, "appeal", None)
    assert act.at is not None
    return {
        "id": act.id,
        "kind": act.kind,
        "words": RULES[ActKind(act.kind)].words,
        "reason": act.reason,
        "reason_words": REASONS[act.reason],
        "text": act.text,
        "target": act.target,
        "at": as_text(act.at),
        "until": as_text(act.until),
        "in_force": in_force(act, at),
        "lifted_at": as_text(act.undone_at),
        "may_appeal": act.state == ActState.IN_FORCE and appeal is None,
        "appeal": appeal_show(appeal) if appeal else None,
    }


def appeal_show(appeal: Appeal) -> moderation_schemas.Appeal:
    """An appeal as its account sees it."""
    return {
        "id": appeal.id,
        "sanction": appeal.act_id,
        "text": appeal.text,
        "at": as_text(appeal.at),
        "outcome": appeal.outcome or None,
        "answer": appeal.answer,
        "decided_at": as_text(appeal.decided_at),
    }


def notice_show(notice: Notice) -> moderation_schemas.Notice:
    """A notice as its account sees it."""
    return {
        "id": notice.id,
        "kind": notice.kind,
        "words": notice.words,
        "sanction": notice.act_id,
        "at": as_text(notice.at),
        "seen_at": as_text(notice.seen_at),
    }


def report_show(report: Report) -> moderation_schemas.Report:
    """A report as its reporter sees it; `state`: open, or looked_at. Not what came of
    it: that is between the house and the other.
    """
    return {
        "id": report.id,
        "player": report.case.subject.name,
        "kind": report.case.kind,
        "place": report.place,
        "text": report.text,
        "at": as_text(report.at),
        "state": "looked_at" if report.outcome else "open",
    }


def reports_of(account_id: str, *, most: int = MOST) -> list[moderation_schemas.Report]:
    """The account's reports of others, newest first."""
    rows = Report.objects.filter(reporter_id=account_id).select_related("case__subject")
    return [report_show(one) for one in rows.order_by("-at", "-id")[:most]]


def notices_unseen(account_id: str) -> int:
    """How much the account has been told and not seen."""
    return Notice.objects.filter(account_id=account_id, seen_at=None).count()


def appeals_of(account_id: str, *, most: int = MOST) -> list[moderation_schemas.Appeal]:
    """The account's appeals, newest first."""
    rows = Appeal.objects.filter(account_id=account_id).order_by("-at", "-id")[:most]
    return [appeal_show(one) for one in rows]
