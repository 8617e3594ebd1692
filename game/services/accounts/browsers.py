"""Record, as keyed hashes, which browsers an account was used from in 90 days.

A browser has two marks: the hash of its address and user agent, which a private window
shares, and the hash of its cookie, which stays if the address changes. Neither address,
user agent nor cookie is stored: a hash can only be compared.
"""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from game.models import BrowserMark
from game.services.core.keyed_hash import keyed_hash

BROWSERS_KEPT_FOR: Final = timedelta(days=90)


class Browser(NamedTuple):
    """What a request tells of its browser; `cookie` is "" if it has none yet."""

    address: str
    agent: str
    cookie: str = ""


def browser_hash(address: str, agent: str) -> str:
    """Return the keyed hash of a user agent and its address (for IPv6, its /64)."""
    return keyed_hash("browser", f"{_network(address)}\n{agent}")


def address_hash(address: str) -> str:
    """Return the keyed hash of an address (for IPv6, its /64)."""
    return keyed_hash("address", _network(address))


def cookie_hash(cookie: str) -> str:
    """Return the keyed hash of a browser's cookie; "" for no cookie."""
    return keyed_hash("browser cookie", cookie) if cookie else ""


def _network(address: str) -> str:
    network = ip_address(address)
    if network.is_loopback:  # every loopback address is the same machine
        return "loopback"
    if isinstance(network, IPv6Address):
        network = network.ipv4_mapped or IPv6Address(int(network) >> 64 << 64)
    return str(network)


def browser_record(
    account_id: str, *, address: str, agent: str, at: datetime, cookie: str = ""
) -> None:
    """Record that the account is used from this browser now."""
    marks = [browser_hash(address, agent), cookie_hash(cookie)]
    rows = [
        BrowserMark(account_id=account_id, mark=mark, first_at=at, seen_at=at)
        for mark in marks
        if mark
    ]
    BrowserMark.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["account", "mark"],
        update_fields=["seen_at"],
    )


def is_familiar_browser(account_id: str, cookie: str, *, before: datetime) -> bool:
    """Whether the account was used before that time in the browser with the cookie."""
    if not cookie:
        return False
    known = BrowserMark.objects.filter(
        account_id=account_id, mark=cookie_hash(cookie), first_at__lt=before
    )
    return bool(known.exists())
