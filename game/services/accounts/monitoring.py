"""Logs an error if nearly all accounts seem to be at one network address, or at none.

Then the number of trusted proxies is wrong, or a proxy states a constant, and all
players are linked with each other, or nobody is.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

import structlog
from django.conf import settings
from django.db.models import Count

from game.models import Account, AccountMark

log = structlog.get_logger(__name__)

_SPAN: Final = timedelta(days=1)
# A smaller site may well be a class or a household.
MIN_ACCOUNTS: Final = 30
NEARLY_ALL: Final = 0.8


class AddressUse(NamedTuple):
    """How many accounts were used in a day, how many of them at an address that is
    known, and how many at the one that most of them share.
    """

    accounts: int
    placed: int
    at_one: int

    @property
    def trouble(self) -> str:
        """`one_address`, `no_address`, or "" if addresses tell players apart."""
        if self.accounts < MIN_ACCOUNTS:
            return ""
        if self.at_one >= NEARLY_ALL * self.accounts:
            return "one_address"
        return "no_address" if self.placed < (1 - NEARLY_ALL) * self.accounts else ""


def address_use(*, at: datetime) -> AddressUse:
    """How the accounts of the last day, guests included, use addresses."""
    active_accounts = Account.objects.filter(seen_at__gt=at - _SPAN, is_active=True)
    marks = AccountMark.objects.filter(
        kind=AccountMark.Kind.ADDRESS, seen_at__gt=at - _SPAN
    )
    most = marks.values("mark").annotate(n=Count("id")).order_by("-n").first()
    return AddressUse(
        active_accounts.count(),
        marks.values("account").distinct().count(),
        most["n"] if most else 0,
    )


def accounts_log_troubles(*, at: datetime) -> int:
    """Log the problem as an error, if there is one; how many."""
    use = address_use(at=at)
    # The operator has configured networks whose addresses link nobody.
    if not use.trouble or settings.SHARED_NETWORKS:
        return 0
    log.error(
        "address_trouble",
        trouble=use.trouble,
        accounts=use.accounts,
        at_one=use.at_one,
        trusted_proxies=settings.TRUSTED_PROXY_COUNT,
    )
    return 1
