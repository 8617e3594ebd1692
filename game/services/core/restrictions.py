"""What an account may not do now, by a moderator's act in force; and why, until when.

Asked by whatever begins something: the answer is the database's at that moment, so an
act holds at once. Knows nothing of how acts come about.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Final

from django.db.models import F, Q

from game.contest.moderation.acts import RULES, ActKind, State
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act
from game.selectors.core.times import as_text
from game.services.core.errors import Kind, ServiceRefusal

APPEAL_AT: Final = "/account/standing"


class Doing(Enum):
    """What somebody is about to do, with the acts that bar it, the gravest first."""

    ANYTHING = (ActKind.BAN,)
    PLAY = (ActKind.BAN, ActKind.SUSPEND)
    RATED = (ActKind.BAN, ActKind.SUSPEND, ActKind.MARK_CHEAT, ActKind.SUSPEND_RATED)
    CHAT = (ActKind.BAN, ActKind.SUSPEND, ActKind.MUTE)


_CODES: Final[Mapping[ActKind, str]] = {
    ActKind.BAN: "account.banned",
    ActKind.SUSPEND: "account.suspended",
    ActKind.MARK_CHEAT: "account.rated_suspended",
    ActKind.SUSPEND_RATED: "account.rated_suspended",
    ActKind.MUTE: "account.muted",
}


def bar_of(account_id: str, doing: Doing, *, at: datetime) -> Act | None:
    """The gravest act that keeps the account from that now, and its longest."""
    in_force = Act.objects.filter(
        Q(until__isnull=True) | Q(until__gt=at),
        subject_id=account_id,
        state=State.IN_FORCE,
        kind__in=doing.value,
    )
    found = list(in_force.order_by(F("until").desc(nulls_first=True)))
    return min(
        found, key=lambda act: doing.value.index(ActKind(act.kind)), default=None
    )


def not_barred(account: Account | str, doing: Doing, *, at: datetime) -> None:
    """Let pass whoever may do that. Raises account.banned, account.suspended,
    account.rated_suspended, account.muted: {reason, words, until, act, appeal}.
    """
    account_id = account if isinstance(account, str) else account.id
    act = bar_of(account_id, doing, at=at)
    if act is not None:
        raise refusal_of(act)


def not_banned(account: Account, *, at: datetime) -> None:
    """The same for a door that has the account's row: no statement for who is not."""
    if is_banned(account, at=at):
        not_barred(account, Doing.ANYTHING, at=at)


def is_banned(account: Account, *, at: datetime) -> bool:
    """Whether a ban is in force, by the account's own row."""
    return account.banned_until is not None and account.banned_until > at


def refusal_of(act: Act) -> ServiceRefusal:
    """The no that an act gives, with its reason and where to appeal."""
    words = RULES[ActKind(act.kind)].words
    return ServiceRefusal(
        Kind.FORBIDDEN, _CODES[ActKind(act.kind)], words, bar_detail(act)
    )


def bar_detail(act: Act) -> dict[str, Any]:
    """Why, until when (None: for good), and where to say that it is wrong."""
    return {
        "reason": act.reason,
        "words": act.text or REASONS[act.reason],
        "until": as_text(act.until),
        "act": act.id,
        "appeal": APPEAL_AT,
    }
