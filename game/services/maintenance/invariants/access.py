"""I14: a closed or deactivated account has no live session or token."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q

from game.models import Session, Token
from game.services.maintenance.invariants.breach import Breach


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Live sessions and tokens of closed or deactivated accounts."""
    gone = Q(account__is_active=False) | Q(account__closed_at__isnull=False)
    sessions = Session.objects.filter(gone, expire_date__gt=at)
    for account_id in sessions.values_list("account_id", flat=True):
        yield Breach("I14", f"account {account_id}", "is closed but has a session")
    shut = Q(user__is_active=False) | Q(user__closed_at__isnull=False)
    tokens = Token.objects.filter(shut).filter(
        Q(expiry__isnull=True) | Q(expiry__gt=at)
    )
    for account_id in tokens.values_list("user_id", flat=True):
        yield Breach("I14", f"account {account_id}", "is closed but has a token")
