"""Notes which browsers accounts are used from, as marks, for 90 days.

No address and no user agent is kept here: a mark can only be compared.
"""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.db.models.signals import post_save

from game.models import BrowserMark
from game.services.core.keyed_hash import keyed_hash

BROWSERS_KEPT: Final = timedelta(days=90)


def browser_mark(address: str, agent: str) -> str:
    """The mark of a browser in a network: an IPv6 client owns its /64."""
    here = ip_address(address)
    if isinstance(here, IPv6Address):
        here = here.ipv4_mapped or IPv6Address(int(here) >> 64 << 64)
    return keyed_hash("browser", f"{here}\n{agent}")


def browser_note(account_id: str, *, address: str, agent: str, at: datetime) -> None:
    """The account is used from there now."""
    row = BrowserMark(
        account_id=account_id,
        mark=browser_mark(address, agent),
        first_at=at,
        seen_at=at,
    )
    BrowserMark.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["account", "mark"],
        update_fields=["seen_at"],
    )


def watch_browsers() -> None:
    """Note the browser of every session that begins; called twice, once is noted."""
    post_save.connect(_note, sender=UserSession, dispatch_uid="browsers of sessions")


def _note(*, instance: UserSession, raw: bool = False, **_: Any) -> None:
    if not raw:  # a restored copy brings its own
        browser_note(
            instance.user_id,
            address=instance.ip,
            agent=instance.user_agent,
            at=instance.last_seen_at,
        )
