"""What accounts are told by the house, and that they have seen it."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from game.contest.moderation.acts import RULES, ActKind
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act, Notice


def notice_of_act(act: Act, accounts: Iterable[str], *, at: datetime) -> None:
    """Tell these accounts what was done, and why."""
    words = f"{RULES[ActKind(act.kind)].words} {why(act)}"
    _tell(accounts, Notice.Kind.ACT, words, act, at)


def notice_of_lift(act: Act, accounts: Iterable[str], *, at: datetime) -> None:
    """Tell these accounts that it was taken back; `act` is what was."""
    words = f"This was taken back: {RULES[ActKind(act.kind)].words}"
    _tell(accounts, Notice.Kind.LIFTED, words, act, at)


def notice_of_appeal(act: Act, *, lifted: bool, answer: str, at: datetime) -> None:
    """Tell who appealed what came of it."""
    assert act.subject_id is not None
    outcome = "was granted" if lifted else "was looked at; the act stands"
    words = f"Your appeal {outcome}. {answer}".strip()
    _tell([act.subject_id], Notice.Kind.APPEAL, words, act, at)


def notice_of_refund(act: Act, account_id: str, points: int, *, at: datetime) -> None:
    """Tell somebody whose rating was put right."""
    words = (
        f"Your rating was corrected by {points:+d}, after races of yours were looked"
        " at again."
    )
    _tell([account_id], Notice.Kind.ACT, words, act, at)


def notices_see(account_id: str, *, at: datetime) -> int:
    """The account has seen what it was told; how many were new."""
    return Notice.objects.filter(account_id=account_id, seen_at=None).update(seen_at=at)


def why(act: Act) -> str:
    """The reason's words, and the moderator's own."""
    return f"{REASONS[act.reason]} {act.text}".strip()


def _tell(
    accounts: Iterable[str], kind: Notice.Kind, words: str, act: Act, at: datetime
) -> None:
    told = sorted(set(accounts))
    Notice.objects.bulk_create(
        Notice(account_id=one, kind=kind, words=words, act=act, at=at) for one in told
    )
    # Open sockets notice by the number that there is something to read.
    Account.objects.filter(id__in=told).update(standing_rev=F("standing_rev") + 1)
