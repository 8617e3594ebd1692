"""I14: a closed account has no live session or token; session keys are hashed."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q
from django.db.models.functions import Length

from game.models import Session, Token
from game.models.accounts.session import ROW_KEY_LENGTH
from game.services.maintenance.invariants.breach import Breach


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Live sessions and tokens of closed or deactivated accounts, and clear keys."""
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
    clear = Session.objects.annotate(size=Length("session_key"))
    for account_id in clear.exclude(size=ROW_KEY_LENGTH).values_list(
        "account_id", flat=True
    ):
        yield Breach("I14", f"account {account_id}", "has a session under a clear key")
