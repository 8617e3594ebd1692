"""The client's address: only trusted proxies may state it."""

from typing import Any

import pytest
from django.test import RequestFactory

from api.rest.core.client_address import client_address, client_network

CASES = [
    (0, "203.0.113.9", "1.2.3.4", "203.0.113.9"),
    (1, "10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),
    (1, "10.0.0.1", "203.0.113.9", "203.0.113.9"),
    (2, "10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
    (2, "10.0.0.1", "203.0.113.9", "10.0.0.1"),
    (1, "10.0.0.1", None, "10.0.0.1"),
    (1, "10.0.0.1", "nonsense", "0.0.0.0"),
    (0, "", None, "0.0.0.0"),
    (0, "unix:", None, "0.0.0.0"),
    (1, "10.0.0.1", "2001:db8::1", "2001:db8::1"),
    # Proxies that state a port: clients must not all be at one unknown address.
    (1, "10.0.0.1", "1.2.3.4, 203.0.113.9:50123", "203.0.113.9"),
    (1, "10.0.0.1", "[2001:db8::1]:50123", "2001:db8::1"),
    (1, "10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
    (0, "fe80::1%eth0", None, "fe80::1"),
    (1, "10.0.0.1", "203.0.113.9:", "0.0.0.0"),
    (1, "10.0.0.1", "[203.0.113.9:80", "0.0.0.0"),
]


@pytest.mark.parametrize(("proxies", "peer", "heard", "address"), CASES)
def test_address(
    settings: Any, proxies: int, peer: str, heard: str | None, address: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": heard} if heard is not None else None
    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers=headers)
    assert client_address(request) == address


@pytest.mark.parametrize("own", ["203.0.113.9", "fd00::2"])
def test_client_on_this_machine_is_at_loopback(settings: Any, own: str) -> None:
    settings.TRUSTED_PROXY_COUNT = 0
    here = RequestFactory().get("/", REMOTE_ADDR=own, SERVER_NAME=own)
    assert client_address(here) == "127.0.0.1"
    there = RequestFactory().get("/", REMOTE_ADDR="203.0.113.7", SERVER_NAME=own)
    assert client_address(there) == "203.0.113.7"
    settings.TRUSTED_PROXY_COUNT = 1
    proxied = RequestFactory().get(
        "/", REMOTE_ADDR=own, SERVER_NAME=own, HTTP_X_FORWARDED_FOR="203.0.113.7"
    )
    assert client_address(proxied) == "203.0.113.7"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_network(address: str, network: str) -> None:
    assert client_network(RequestFactory().get("/", REMOTE_ADDR=address)) == network
