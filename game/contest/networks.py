"""What counts as the same network address. Nothing else in the project decides that.

Providers give a customer one IPv4 address, or share it among many, and a whole range of
IPv6 addresses: a device gets a /64, a household up to a /48 and can use any address in
it. So there are two answers: `network_of` for what must not lump strangers together
(rate limits, places of a sign-in), `household_of` for whether two accounts may belong
to one person. The IPv4 address of a machine is not recognisable in its IPv6 address,
except in a tunnel's; an account that is used over both is seen at both.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

NETWORK_PREFIX: Final = 64
HOUSEHOLD_PREFIX: Final = 48
# Stands for every loopback address, IPv4 and IPv6: the same machine.
LOOPBACK: Final = "loopback"


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
    return any(parsed in ip_network(one) for one in networks)


def _parse(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        # Without the zone of a link-local address, which names an interface.
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
