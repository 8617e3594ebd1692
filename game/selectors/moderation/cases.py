"""Queries of the moderation desk: cases, acts, appeals, the log, linked accounts.

Nothing here contains a hidden card, a seed or a network address.
"""

from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet

from game.contest.moderation.acts import PROPOSAL_LASTS, ActState
from game.models import (
    Account,
    Act,
    Appeal,
    AuditEntry,
    BrowserMark,
    Case,
    ChatMessage,
    Entrant,
    Race,
    Run,
)
from game.selectors.core.times import as_text

MAX_ROWS = 200


def cases_open(kind: str | None = None) -> QuerySet[Case]:
    """Return open cases, the highest weight first, with `reports_n` and `flags_n`."""
    rows = Case.objects.filter(closed_at=None).select_related("subject")
    if kind is not None:
        rows = rows.filter(kind=kind)
    counted = rows.annotate(
        reports_n=Count("reports", distinct=True), flags_n=Count("flags", distinct=True)
    )
    return counted.order_by("-weight", "touched_at")


def case_show(case: Case) -> dict[str, Any]:
    """Return a case with its reports, flags and acts."""
    return {
        "id": case.id,
        "subject": case.subject.name,
        "subject_id": case.subject_id,
        "kind": case.kind,
        "weight": round(case.weight, 2),
        "opened_at": as_text(case.opened_at),
        "touched_at": as_text(case.touched_at),
        "closed_at": as_text(case.closed_at),
        "outcome": case.outcome,
        "reports": [
            {
                "id": report.id,
                "reporter": report.reporter.name,
                "reporter_id": report.reporter_id,
                "place": report.place,
                "target": report.target,
                "text": report.text,
                "seen": report.seen,
                "weight": round(report.weight, 2),
                "at": as_text(report.at),
                "outcome": report.outcome,
            }
            for report in case.reports.select_related("reporter").order_by("at", "id")
        ],
        "flags": [
            {
                "kind": flag.kind,
                "key": flag.key,
                "evidence": flag.evidence,
                "weight": flag.weight,
                "at": as_text(flag.at),
            }
            for flag in case.flags.order_by("at", "id")
        ],
        "acts": [act_show(act) for act in _with_accounts(case.acts.all())],
    }


def act_show(act: Act) -> dict[str, Any]:
    """Return an act with all that staff see."""
    return {
        "id": act.id,
        "kind": act.kind,
        "state": act.state,
        "subject": act.subject.name if act.subject else None,
        "target": act.target,
        "by": act.by.name,
        "second": act.second.name if act.second else None,
        "reason": act.reason,
        "text": act.text,
        "note": act.note,
        "length_s": act.length_s,
        "made_at": as_text(act.made_at),
        "expires_at": as_text(
            act.made_at + PROPOSAL_LASTS if act.state == ActState.PROPOSED else None
        ),
        "at": as_text(act.at),
        "until": as_text(act.until),
        "undone_at": as_text(act.undone_at),
        "undoes": act.undoes_id,
    }


def acts_of(account_id: str) -> QuerySet[Act]:
    """Return the acts on an account, newest first."""
    return _with_accounts(Act.objects.filter(subject_id=account_id))


def acts_proposed() -> QuerySet[Act]:
    """Return the proposals that need a second moderator, oldest first."""
    rows = Act.objects.filter(state=ActState.PROPOSED)
    return _with_accounts(rows).order_by("made_at")


def _with_accounts(rows: QuerySet[Act]) -> QuerySet[Act]:
    return rows.select_related("subject", "by", "second", "case").order_by("-made_at")


def appeals_undecided() -> QuerySet[Appeal]:
    """Return undecided appeals, oldest first."""
    rows = Appeal.objects.filter(outcome="")
    return rows.select_related("act", "account", "act__by", "act__second").order_by(
        "at"
    )


def audit_entries(
    *, target: str | None = None, subject_id: str | None = None
) -> QuerySet[AuditEntry]:
    """Return log entries, newest first; of one target ("act:ID") or one account."""
    rows = AuditEntry.objects.select_related("actor", "subject").order_by("-number")
    if target is not None:
        rows = rows.filter(target=target)
    if subject_id is not None:
        rows = rows.filter(subject_id=subject_id)
    return rows


def linked_accounts(account_id: str) -> list[dict[str, Any]]:
    """Return the accounts that were used in the same browser within 90 days.

    [{id, name, sessions}], where `sessions` is the number of shared marks: one for the
    browser's cookie, one for its user agent at its address. People of one household
    are linked too: it proves nothing.
    """
    own = BrowserMark.objects.filter(account_id=account_id)
    links = (
        BrowserMark.objects.filter(mark__in=own.values("mark"))
        .exclude(account_id=account_id)
        .values("account_id", "account__name")
        .annotate(shared=Count("id"))
        .order_by("-shared", "account_id")
    )
    return [
        {
            "id": link["account_id"],
            "name": link["account__name"],
            "sessions": link["shared"],
        }
        for link in links[:MAX_ROWS]
    ]


def shared_dungeons(first_id: str, second_id: str) -> list[dict[str, Any]]:
    """Return the dungeons that both accounts have played, newest first.

    [{dungeon, seal, revealed, first, second}]; `first` and `second` are the accounts'
    runs, {run, kind, status, score, moves, started_at, finished_at, voided_at}.
    """
    theirs = Run.objects.filter(account_id=second_id)
    own = Run.objects.filter(
        account_id=first_id, dungeon__in=theirs.values("dungeon")
    ).select_related("dungeon")
    other = {
        run.dungeon_id: run
        for run in theirs.filter(dungeon__in=own.values("dungeon")).order_by(
            "-started_at"
        )
    }
    return [
        {
            "dungeon": run.dungeon_id,
            "seal": run.dungeon.seal,
            "revealed": run.dungeon.revealed_at is not None,
            "first": _run_summary(run),
            "second": _run_summary(other[run.dungeon_id]),
        }
        for run in own.order_by("-started_at")[:MAX_ROWS]
    ]


def _run_summary(run: Run) -> dict[str, Any]:
    return {
        "run": run.id,
        "kind": run.kind,
        "status": run.status,
        "score": run.score if run.status != Run.Status.PLAYING else None,
        "moves": run.index,
        "started_at": as_text(run.started_at),
        "finished_at": as_text(run.finished_at),
        "voided_at": as_text(run.voided_at),
    }


def run_status_shown(run: Run) -> str:
    """Return the status, or "live" while the race goes on, since staff race too."""
    is_live = run.race is not None and run.race.closed_at is None
    return "live" if is_live else str(run.status)


def races_live_of(account_id: str) -> QuerySet[Race]:
    """Return the races that are not over and in which the account has a seat."""
    seats = Entrant.objects.filter(account_id=account_id, left_at=None)
    live = Race.objects.filter(closed_at=None, cancelled_at=None)
    return live.filter(id__in=seats.values("race_id"))


def account_timeline(
    account: Account, *, limit: int = MAX_ROWS, reader_id: str = ""
) -> list[dict[str, Any]]:
    """Return what an account did and the acts on it, newest first.

    [{at, what, id, words}], where `what` is account, act, case, run, race or chat.
    Leaves out the chat of live races in which `reader_id` has a seat.
    """
    lines: list[tuple[datetime, str, str, str]] = [
        (account.created_at, "account", account.id, "created")
    ]
    by_account = {"account": account}
    lines += [
        (act.made_at, "act", act.id, f"{act.kind}, {act.state}")
        for act in Act.objects.filter(subject=account).order_by("-made_at")[:limit]
    ]
    lines += [
        (case.opened_at, "case", case.id, f"{case.kind} opened")
        for case in Case.objects.filter(subject=account).order_by("-opened_at")[:limit]
    ]
    lines += [
        (run.started_at, "run", run.id, f"{run.kind}, {run_status_shown(run)}")
        for run in Run.objects.filter(**by_account)
        .select_related("race")
        .order_by("-started_at")[:limit]
    ]
    lines += [
        (seat.joined_at, "race", seat.race_id, f"seat {seat.seat}")
        for seat in Entrant.objects.filter(**by_account).order_by("-joined_at")[:limit]
    ]
    lines += [
        (
            message.at,
            "chat",
            f"{message.race_id}:{message.number}",
            message.text or message.phrase,
        )
        for message in ChatMessage.objects.filter(**by_account)
        .exclude(race__in=races_live_of(reader_id))
        .order_by("-at")[:limit]
    ]
    lines.sort(reverse=True)
    return [
        {"at": as_text(at), "what": what, "id": key, "words": words}
        for at, what, key, words in lines[:limit]
    ]
