"""Notices: what the site tells accounts about acts, appeals and ratings."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from game.contest.moderation.acts import RULES, ActKind
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Notice


def notice_of_act(act: Act, accounts: Iterable[str], *, at: datetime) -> None:
    """Notify the accounts of an act and its reason."""
    words = f"{RULES[ActKind(act.kind)].words} {reason_text(act)}"
    _notify(accounts, Notice.Kind.ACT, words, act, at)


def notice_of_lift(act: Act, accounts: Iterable[str], *, at: datetime) -> None:
    """Notify the accounts that `act` was undone."""
    words = f"This was undone: {RULES[ActKind(act.kind)].words}"
    _notify(accounts, Notice.Kind.LIFTED, words, act, at)


def notice_of_appeal(act: Act, *, lifted: bool, answer: str, at: datetime) -> None:
    """Notify the subject of `act` of the decision on their appeal."""
    assert act.subject_id is not None
    outcome = "was granted" if lifted else "was reviewed; the decision stands"
    words = f"Your appeal {outcome}. {answer}".strip()
    _notify([act.subject_id], Notice.Kind.APPEAL, words, act, at)


def notice_of_refund(act: Act, account_id: str, points: int, *, at: datetime) -> None:
    """Notify an account that its rating was corrected."""
    words = (
        f"Your rating was corrected by {points:+d}, because races of yours were"
        " reviewed."
    )
    _notify([account_id], Notice.Kind.ACT, words, act, at)


def notices_mark_seen(account_id: str, *, at: datetime) -> int:
    """Mark all notices of the account as seen; return how many were new."""
    return Notice.objects.filter(account_id=account_id, seen_at=None).update(seen_at=at)


def reason_text(act: Act) -> str:
    """Return the sentence of the reason, followed by the moderator's text."""
    return f"{REASONS[act.reason]} {act.text}".strip()


def _notify(
    accounts: Iterable[str], kind: Notice.Kind, words: str, act: Act, at: datetime
) -> None:
    notified = sorted(set(accounts))
    Notice.objects.bulk_create(
        Notice(account_id=account_id, kind=kind, words=words, act=act, at=at)
        for account_id in notified
    )
    # Open sockets compare the revision and announce that it changed.
    Account.objects.filter(id__in=notified).update(standing_rev=F("standing_rev") + 1)
