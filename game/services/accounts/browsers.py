"""Record, as keyed hashes, which browsers an account was used from in 90 days.

Neither the address nor the user agent is stored: a hash can only be compared.
"""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.db.models.signals import post_save

from game.models import BrowserMark
from game.services.core.keyed_hash import keyed_hash

BROWSERS_KEPT_FOR: Final = timedelta(days=90)


def browser_hash(address: str, agent: str) -> str:
    """Return the keyed hash of a browser and its address (for IPv6, its /64)."""
    network = ip_address(address)
    if isinstance(network, IPv6Address):
        network = network.ipv4_mapped or IPv6Address(int(network) >> 64 << 64)
    return keyed_hash("browser", f"{network}\n{agent}")


def browser_record(account_id: str, *, address: str, agent: str, at: datetime) -> None:
    """Record that the account is used from this browser now."""
    row = BrowserMark(
        account_id=account_id,
        mark=browser_hash(address, agent),
        first_at=at,
        seen_at=at,
    )
    BrowserMark.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["account", "mark"],
        update_fields=["seen_at"],
    )


def connect_browser_records() -> None:
    """Record the browser of every new session. Calling it again changes nothing."""
    post_save.connect(
        _record_session, sender=UserSession, dispatch_uid="browsers of sessions"
    )


def _record_session(*, instance: UserSession, raw: bool = False, **_: Any) -> None:
    if not raw:  # a restored backup contains its own rows
        browser_record(
            instance.user_id,
            address=instance.ip,
            agent=instance.user_agent,
            at=instance.last_seen_at,
        )
