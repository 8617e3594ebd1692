"""What counts as the same network address."""

import pytest

from game.contest.networks import (
    household_of,
    is_in_networks,
    is_known,
    network_of,
)

SAME_HOUSEHOLD = [
    ("203.0.113.9", "::ffff:203.0.113.9"),
    # Any two /64 of one /48: a household's prefix may be a /56 or a /48.
    ("2001:db8:1:2::1", "2001:db8:1:ff::2"),
    ("2001:db8:1::", "2001:db8:1:ffff:ffff:ffff:ffff:ffff"),
    ("127.0.0.1", "::1"),
    ("127.0.0.1", "127.9.9.9"),
    ("127.0.0.1", "::ffff:127.0.0.1"),
    ("fe80::1%eth0", "fe80::2"),
    # Tunnels: 6to4 and Teredo.
    ("203.0.113.9", "2002:cb00:7109::1"),
    ("192.0.2.45", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
]
OTHER_HOUSEHOLD = [
    ("203.0.113.9", "203.0.113.8"),
    ("2001:db8:1::1", "2001:db8:2::1"),
    ("203.0.113.9", "2001:db8::203.0.113.9"),
    ("127.0.0.1", "0.0.0.0"),
]


@pytest.mark.parametrize(("one", "other"), SAME_HOUSEHOLD)
def test_same_household(one: str, other: str) -> None:
    assert household_of(one) == household_of(other)


@pytest.mark.parametrize(("one", "other"), OTHER_HOUSEHOLD)
def test_other_household(one: str, other: str) -> None:
    assert household_of(one) != household_of(other)


def test_network_is_narrower() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::"
    assert network_of("2001:db8:1:3::") != network_of("2001:db8:1:2::")
    assert household_of("2001:db8:1:2::1") == "2001:db8:1::/48"


@pytest.mark.parametrize(
    ("address", "known"),
    [("0.0.0.0", False), ("::", False), ("127.0.0.1", True), ("::2", True)],
)
def test_unknown_address(address: str, known: bool) -> None:
    assert is_known(address) is known


def test_networks_that_many_share() -> None:
    listed = ["10.0.0.0/8", "2001:db8::/32", "127.0.0.0/8"]
    assert is_in_networks("10.1.2.3", listed)
    assert is_in_networks("::ffff:10.1.2.3", listed)
    assert is_in_networks("2001:db8:7::1", listed)
    assert not is_in_networks("11.0.0.1", listed)
    assert not is_in_networks("::1", listed)
    assert not is_in_networks("10.1.2.3", [])
