"""The address that a request comes from."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

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
    try:
        return str(ip_address(text))
    except ValueError:
        return UNKNOWN


def client_network(request: HttpRequest) -> str:
    """What rate limits count by: the IPv4 address, or the IPv6 /64 network."""
    address = ip_address(client_address(request))
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
