"""The address that a request comes from."""

import re
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from game.contest.networks import network_of

_WITH_PORT: Final = re.compile(r"(?P<v4>[0-9.]+):\d{1,5}|\[(?P<v6>[^\]]+)\](:\d{1,5})?")
UNKNOWN = "0.0.0.0"  # noqa: S104 - stands for "unknown", nothing listens on it


def client_address(request: HttpRequest) -> str:
    """The client's address, or UNKNOWN.

    Each of the TRUSTED_PROXY_COUNT proxies appends its client to X-Forwarded-For, so
    the address is that many entries from the right. Those further left can be forged.
    """
    count = settings.TRUSTED_PROXY_COUNT
    text = request.META.get("REMOTE_ADDR") or UNKNOWN
    if count > 0:
        header = request.META.get("HTTP_X_FORWARDED_FOR", "")
        addresses = header.split(",") if header else []
        text = addresses[-count].strip() if len(addresses) >= count else text
    return _without_port(text)


def _without_port(text: str) -> str:
    """The address in 1.2.3.4, 1.2.3.4:567, ::1 or [::1]:567; else UNKNOWN.

    Some proxies state the port of their client too. An IPv6 zone (%eth0) names an
    interface of this machine and is dropped.
    """
    found = _WITH_PORT.fullmatch(text.strip())
    address = (found["v4"] or found["v6"]) if found else text.strip()
    try:
        return str(ip_address(address.partition("%")[0]))
    except ValueError:
        return UNKNOWN


def client_network(request: HttpRequest) -> str:
    """What rate limits count by: the IPv4 address, or the IPv6 /64 network."""
    return network_of(client_address(request))
