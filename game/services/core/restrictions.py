"""Restrictions: what an account may not do now because of a moderation act in force.

Services ask before they begin something. The answer is read from the database each
time, so an act takes effect at once. `game.services.moderation.acts` creates acts.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import Enum
from typing import Final

from django.db.models import F, Q, QuerySet

from game.contest.moderation.acts import RULES, ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.models import Account, Act
from game.selectors.core.times import as_text
from game.services.core.errors import Kind, ServiceRefusal

APPEAL_AT: Final = "/account/standing"


class Activity(Enum):
    """What an account is about to do; the acts that forbid it, most severe first."""

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


def restriction_on(account_id: str, activity: Activity, *, at: datetime) -> Act | None:
    """The act that forbids the activity: the most severe kind, and of those the one
    that lasts longest. None where the activity is allowed.
    """
    in_force = _acts_that_forbid(activity, at).filter(subject_id=account_id)
    longest_first = in_force.order_by(F("until").desc(nulls_first=True))
    return min(
        longest_first,
        key=lambda act: activity.value.index(ActKind(act.kind)),
        default=None,
    )


def restricted_accounts(
    accounts: Collection[str], activity: Activity, *, at: datetime
) -> set[str]:
    """Those of the accounts that the activity is forbidden to."""
    acts = _acts_that_forbid(activity, at).filter(subject_id__in=accounts)
    return {str(account_id) for account_id in acts.values_list("subject_id", flat=True)}


def _acts_that_forbid(activity: Activity, at: datetime) -> QuerySet[Act]:
    return Act.objects.filter(
        Q(until__isnull=True) | Q(until__gt=at),
        state=ActState.IN_FORCE,
        kind__in=activity.value,
    )


def require_allowed(
    account: Account | str, activity: Activity, *, at: datetime
) -> None:
    """Raise a refusal if the account may not do that now.

    Raises account.banned, account.suspended, account.rated_suspended or account.muted,
    with {reason, words, until, act, appeal}.
    """
    account_id = account if isinstance(account, str) else account.id
    act = restriction_on(account_id, activity, at=at)
    if act is not None:
        raise _refusal_of(act)


def require_not_banned(account: Account, *, at: datetime) -> None:
    """Raise account.banned if a ban is in force.

    Reads the database only for accounts whose row says that they are banned.
    """
    if is_banned(account, at=at):
        require_allowed(account, Activity.ANYTHING, at=at)


def is_banned(account: Account, *, at: datetime) -> bool:
    """Whether a ban is in force, by the account's own row."""
    return account.banned_until is not None and account.banned_until > at


def _refusal_of(act: Act) -> ServiceRefusal:
    kind = ActKind(act.kind)
    return ServiceRefusal(
        Kind.FORBIDDEN,
        _CODES[kind],
        RULES[kind].words,
        {
            "reason": act.reason,
            "words": act.text or REASONS[act.reason],
            "until": as_text(act.until),  # None: no end
            "act": act.id,
            "appeal": APPEAL_AT,
        },
    )
