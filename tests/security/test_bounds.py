"""Bodies and headers have bounds, also those that do not say how long they are."""

import json
import socket
import time
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client

from game.models import Account
from game.services.accounts.accounts import guest_create
from tests.api.ws.served import Web
from tests.fixtures.races import now
from tests.fixtures.runs import signed_in

WITHIN_S = 10.0
KIB = 1024


def spoken(web: Web, *parts: bytes) -> bytes:
    """Send the parts, as far as the server takes them; what it says."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=WITHIN_S) as wire:
        with suppress(OSError):  # it may have closed already, and said why
            for part in parts:
                wire.sendall(part)
        heard = b""
        with suppress(OSError):
            while b"\r\n\r\n" not in heard and (piece := wire.recv(64 * KIB)):
                heard += piece
        return heard


def status(answer: bytes) -> int | None:
    return int(answer.split()[1]) if answer.startswith(b"HTTP/") else None


def head(web: Web, *lines: str, path: str = "/api/v1/runs/") -> bytes:
    host = f"Host: 127.0.0.1:{web.port}"
    return "\r\n".join([f"POST {path} HTTP/1.1", host, *lines, "", ""]).encode()


def test_a_declared_length_is_refused_before_it_comes(bare_web: Web) -> None:
    for path in ("/api/v1/runs/", "/_allauth/browser/v1/auth/login", "/", "/healthz"):
        asked = head(bare_web, f"Content-Length: {10**9}", path=path)
        started = time.monotonic()
        assert status(spoken(bare_web, asked)) == 413
        assert time.monotonic() - started < 2


def test_a_body_without_an_end_is_cut(bare_web: Web) -> None:
    """A gigabyte in chunks: the connection ends after some hundreds of kilobytes."""
    asked = head(bare_web, "Transfer-Encoding: chunked")
    chunk = b"%x\r\n" % (64 * KIB) + b"x" * (64 * KIB) + b"\r\n"
    taken = 0
    with (
        socket.create_connection(("127.0.0.1", bare_web.port), WITHIN_S) as wire,
        suppress(OSError),
    ):
        wire.sendall(asked)
        while taken < 1024 * KIB * KIB:
            wire.sendall(chunk)
            taken += len(chunk)
    # What the two systems hold of it in their buffers counts as sent.
    assert taken < 16 * KIB * KIB
    assert status(spoken(bare_web, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))


@pytest.mark.parametrize(
    ("path", "most"),
    [("/api/v1/runs/", 16 * KIB), ("/api/v1/runs/abcdefgh/moves/", 4 * KIB)],
)
def test_what_fits_and_what_does_not(bare_web: Web, path: str, most: int) -> None:
    browser = signed_in(guest_create(at=now()))
    session = browser.cookies["sessionid"].value
    cookie = f"Cookie: sessionid={session}; csrftoken={'a' * 32}"
    for size, wanted in ((most + 1, 413), (most, None), (100 * KIB, 413)):
        body = json.dumps({"seed": ""}).encode().ljust(size)
        asked = head(
            bare_web,
            cookie,
            f"X-CSRFToken: {'a' * 32}",
            "Content-Type: application/json",
            f"Content-Length: {size}",
            path=path,
        )
        answer = spoken(bare_web, asked, body)
        assert (status(answer) == 413) is (wanted == 413), answer[:200]
        assert b"application/problem+json" in answer or wanted is None


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"X-Long: {'a' * 17 * KIB}"], id="a long header"),
        pytest.param([f"X-{n}: a" for n in range(501)], id="many headers"),
        pytest.param([f"Cookie: {'a=b; ' * 4 * KIB}"], id="a long cookie"),
        pytest.param(["X-Odd : a"], id="a space before the colon"),
        pytest.param(["X-Odd: a\x00b"], id="NUL"),
        pytest.param(["Content-Length: 3", "Content-Length: 4"], id="two lengths"),
        pytest.param(["Content-Length: -1"], id="less than nothing"),
        pytest.param(
            ["Content-Length: 4", "Transfer-Encoding: chunked"], id="two framings"
        ),
    ],
)
def test_headers_that_are_refused(bare_web: Web, lines: list[str]) -> None:
    answer = spoken(bare_web, head(bare_web, *lines), b"0\r\n\r\n")
    assert status(answer) in (400, 413, 431, None)
    assert b"Traceback" not in answer


def test_a_long_address_is_refused(bare_web: Web) -> None:
    for path in ("/" + "a" * 17 * KIB, "/?" + "a=b&" * 5 * KIB):
        assert status(spoken(bare_web, head(bare_web, path=path))) in (400, 414, None)


@pytest.mark.django_db
def test_a_body_is_bounded_by_itself_too(ada: Account) -> None:
    """Without Daphne before it, in whatever server the application runs."""
    client: Client = signed_in(ada)
    for path, kind in (("/api/v1/runs/", "application/json"), ("/", "text/plain")):
        answer: Any = client.post(path, b"x" * 200 * KIB, content_type=kind)
        assert answer.status_code in (400, 405, 413)
