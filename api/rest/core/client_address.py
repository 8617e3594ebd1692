"""Where a request comes from, as far as it can be known."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104 - a word for "unknown", nothing listens on it


def address_of(request: HttpRequest) -> str:
    """The client's address; NOWHERE where none is known.

    Each of our TRUSTED_PROXY_COUNT proxies appends whom it heard to X-Forwarded-For, so
    the client is that many entries from the right; all left of it anybody can make up.
    """
    count = settings.TRUSTED_PROXY_COUNT
    text = request.META.get("REMOTE_ADDR") or NOWHERE
    if count > 0:
        given = request.META.get("HTTP_X_FORWARDED_FOR", "")
        heard = given.split(",") if given else []
        text = heard[-count].strip() if len(heard) >= count else text
    try:
        return str(ip_address(text))
    except ValueError:
        return NOWHERE


def network_of(request: HttpRequest) -> str:
    """What throttles count by: the address, or the /64 that one IPv6 client owns."""
    address = ip_address(address_of(request))
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
