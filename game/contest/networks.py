"""The address of a client, and what counts as the same one: nothing else decides that.

Providers give a customer one IPv4 address, or share it among many, and a whole range of
IPv6 addresses: a device gets a /64, a household up to a /48 and can use any address in
it. So there are two answers: `network_of` for what must not lump strangers together
(rate limits, places of a sign-in), `household_of` for whether two accounts may belong
to one person. The IPv4 address of a machine is not recognisable in its IPv6 address,
except in a tunnel's; an account that is used over both is seen at both.
"""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

NETWORK_PREFIX: Final = 64
HOUSEHOLD_PREFIX: Final = 48
# Stands for every loopback address, IPv4 and IPv6: the same machine.
LOOPBACK: Final = "loopback"

UNKNOWN: Final = "0.0.0.0"  # noqa: S104 - nothing listens on it
THIS_MACHINE: Final = "127.0.0.1"
_WITH_PORT: Final = re.compile(r"(?P<v4>[0-9.]+):\d{1,5}|\[(?P<v6>[^\]]+)\](:\d{1,5})?")


def address_of_client(
    *, peer: str, server: str, forwarded_for: str, proxies: int
) -> str:
    """Return the address of a request's client, or UNKNOWN.

    `peer` and `server` are the two ends of the connection. Each of the site's `proxies`
    appends its client to X-Forwarded-For, so the address is that many entries from the
    right. Those further left can be forged. A client that reaches an address of this
    machine from the same address is on this machine, as one on loopback is.
    """
    entries = forwarded_for.split(",") if forwarded_for else []
    if proxies > 0 and len(entries) >= proxies:
        return _without_port(entries[-proxies])
    return THIS_MACHINE if peer and peer == server else _without_port(peer)


def _without_port(text: str) -> str:
    """The address in 1.2.3.4, 1.2.3.4:567, ::1 or [::1]:567; else UNKNOWN.

    Some proxies state the port of their client too. An IPv6 zone (%eth0) names an
    interface of this machine and is dropped.
    """
    match = _WITH_PORT.fullmatch(text.strip())
    address = (match["v4"] or match["v6"]) if match else text.strip()
    try:
        return str(ip_address(address.partition("%")[0]))
    except ValueError:
        return UNKNOWN


def network_of(address: str) -> str:
    """Return the IPv4 address, or the /64 network of an IPv6 address, as text."""
    return _prefix(address, NETWORK_PREFIX)


def household_of(address: str) -> str:
    """Return the IPv4 address, or the /48 network of an IPv6 address, as text."""
    parsed = _parse(address)
    if isinstance(parsed, IPv6Address) and not parsed.is_loopback:
        return f"{_prefix(address, HOUSEHOLD_PREFIX)}/{HOUSEHOLD_PREFIX}"
    return _prefix(address, HOUSEHOLD_PREFIX)


def is_known(address: str) -> bool:
    """Whether the address names a place: 0.0.0.0 and :: stand for "unknown"."""
    return not _parse(address).is_unspecified


def is_in_networks(address: str, networks: Iterable[str]) -> bool:
    """Whether the address is in one of these networks (CIDR), such as 10.0.0.0/8."""
    parsed = _parse(address)
    return any(parsed in ip_network(network) for network in networks)


def _parse(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        # Without a zone.
        plain = IPv6Address(int(parsed))
        teredo = plain.teredo
        # Tunnels carry the IPv4 address of their user.
        tunnelled = plain.sixtofour or (teredo and teredo[1])
        return plain.ipv4_mapped or tunnelled or plain
    return parsed


def _prefix(address: str, length: int) -> str:
    parsed = _parse(address)
    if parsed.is_loopback:
        return LOOPBACK
    if isinstance(parsed, IPv6Address):
        host_bits = 128 - length
        return str(IPv6Address(int(parsed) >> host_bits << host_bits))
    return str(parsed)
