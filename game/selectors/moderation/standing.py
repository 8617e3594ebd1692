"""An account's standing: its sanctions, notices, reports and appeals."""

from datetime import datetime

from game.contest.moderation.acts import RULES, SANCTIONS, ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Appeal, Notice, Report
from game.selectors.core.times import as_text
from game.selectors.moderation import schemas as moderation_schemas

# The most severe first.
_STANDINGS = (
    (ActKind.BAN, "banned"),
    (ActKind.SUSPEND, "suspended"),
    (ActKind.MARK_CHEAT, "limited"),
    (ActKind.SUSPEND_RATED, "limited"),
    (ActKind.MUTE, "limited"),
)
MAX_ROWS = 100


def standing_show(
    account: Account, *, at: datetime, limit: int = MAX_ROWS
) -> moderation_schemas.Standing:
    """Return {standing, sanctions, notices, reports}, with at most `limit` of each.

    `standing` is good, limited, suspended or banned.
    """
    acts = list(
        Act.objects.filter(
            subject=account,
            kind__in=SANCTIONS,
            state__in=[ActState.IN_FORCE, ActState.UNDONE],
        )
        .select_related("appeal")
        .order_by("-at", "-id")[:limit]
    )
    kinds = {act.kind for act in acts if is_in_force(act, at)}
    standings = (standing for kind, standing in _STANDINGS if kind in kinds)
    notices = Notice.objects.filter(account=account).order_by("-at", "-id")[:limit]
    return {
        "standing": next(standings, "good"),
        "sanctions": [sanction_show(act, at=at) for act in acts],
        "notices": [notice_show(notice) for notice in notices],
        "reports": reports_of(account.id, limit=limit),
    }


def is_in_force(act: Act, at: datetime) -> bool:
    """Return whether an act is done, not undone, and not over."""
    return act.state == ActState.IN_FORCE and (act.until is None or act.until > at)


def sanction_show(act: Act, *, at: datetime) -> moderation_schemas.Sanction:
    """Return a sanction for its account, without the moderator and the staff note."""
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
        "in_force": is_in_force(act, at),
        "lifted_at": as_text(act.undone_at),
        "may_appeal": act.state == ActState.IN_FORCE and appeal is None,
        "appeal": appeal_show(appeal) if appeal else None,
    }


def appeal_show(appeal: Appeal) -> moderation_schemas.Appeal:
    """Return an appeal for its account."""
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
    """Return a notice for its account."""
    return {
        "id": notice.id,
        "kind": notice.kind,
        "words": notice.words,
        "sanction": notice.act_id,
        "at": as_text(notice.at),
        "seen_at": as_text(notice.seen_at),
    }


def report_show(report: Report) -> moderation_schemas.Report:
    """Return a report for its reporter: `state` is open or looked_at.

    The outcome is not shown to the reporter.
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


def reports_of(
    account_id: str, *, limit: int = MAX_ROWS
) -> list[moderation_schemas.Report]:
    """Return the reports that the account made, newest first."""
    rows = Report.objects.filter(reporter_id=account_id).select_related("case__subject")
    return [report_show(report) for report in rows.order_by("-at", "-id")[:limit]]


def notices_unseen(account_id: str) -> int:
    """Return the number of unseen notices."""
    return Notice.objects.filter(account_id=account_id, seen_at=None).count()


def appeals_of(
    account_id: str, *, limit: int = MAX_ROWS
) -> list[moderation_schemas.Appeal]:
    """Return the appeals of the account, newest first."""
    rows = Appeal.objects.filter(account_id=account_id).order_by("-at", "-id")[:limit]
    return [appeal_show(appeal) for appeal in rows]
