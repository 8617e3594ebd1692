"""Which players in the queue are paused or kept apart after declining an offer."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from game.contest.declines import COUNTED_FOR, is_apart, paused_until
from game.models import Entrant, MatchDecline


def pauses_of(accounts: Collection[str], *, at: datetime) -> dict[str, datetime]:
    """Return until when accounts get no offer; those without a pause are left out."""
    declines: dict[str, list[datetime]] = defaultdict(list)
    for account, when in _recent(accounts, at).values_list("account_id", "at"):
        declines[account].append(when)
    pauses = {account: paused_until(times, at) for account, times in declines.items()}
    return {account: until for account, until in pauses.items() if until is not None}


def kept_apart(accounts: Collection[str], *, at: datetime) -> dict[str, frozenset[str]]:
    """Return whom each account is not offered now, because one declined the other."""
    rows = _recent(accounts, at).filter(other__in=accounts)
    declines = list(rows.values_list("account_id", "other_id", "at"))
    matches = _matches_of({account for account, _, _ in declines}, at)
    apart: dict[str, set[str]] = defaultdict(set)
    for account, other, when in declines:
        if is_apart(when, matches[account], at):
            apart[account].add(other)
            apart[other].add(account)
    return {account: frozenset(others) for account, others in apart.items()}


def _recent(accounts: Collection[str], at: datetime) -> QuerySet[MatchDecline]:
    return MatchDecline.objects.filter(account__in=accounts, at__gt=at - COUNTED_FOR)


def _matches_of(accounts: Collection[str], at: datetime) -> dict[str, list[datetime]]:
    """When the accounts raced somebody from the queue, by account."""
    matches: dict[str, list[datetime]] = defaultdict(list)
    if accounts:
        seats = Entrant.objects.filter(
            account__in=accounts,
            left_at=None,
            race__is_paired=True,
            race__cancelled_at=None,
            race__made_at__gt=at - COUNTED_FOR,
        )
        for account, when in seats.values_list("account_id", "race__made_at"):
            matches[account].append(when)
    return matches
