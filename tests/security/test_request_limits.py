"""Limits on a request's body, headers and arrival time, on a running server."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from game.models import Account
from game.services.accounts.accounts import guest_create
from tests.api.ws.web_process import WebProcess
from tests.fixtures.races import now
from tests.fixtures.runs import signed_in

TIMEOUT_S = 10.0
KIB = 1024
# The time limit of `short_limit_web`, and by when it must have closed a connection.
ARRIVAL_LIMIT_S = 2.0
CUT_BY_S = 10.0


def send_raw(web: WebProcess, *parts: bytes) -> bytes:
    """Send the parts until the server closes; return what it answered."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=TIMEOUT_S) as wire:
        with suppress(OSError):  # it may have answered and closed already
            for part in parts:
                wire.sendall(part)
        answer = b""
        with suppress(OSError):
            while b"\r\n\r\n" not in answer and (piece := wire.recv(64 * KIB)):
                answer += piece
        return answer


def status(answer: bytes) -> int | None:
    return int(answer.split()[1]) if answer.startswith(b"HTTP/") else None


def head(web: WebProcess, *lines: str, path: str = "/api/v1/runs/") -> bytes:
    host = f"Host: 127.0.0.1:{web.port}"
    return "\r\n".join([f"POST {path} HTTP/1.1", host, *lines, "", ""]).encode()


# --- Bodies -------------------------------------------------------------------


def test_too_large_declared_length_is_refused_at_once(bare_web: WebProcess) -> None:
    for path in ("/api/v1/runs/", "/_allauth/browser/v1/auth/login", "/", "/healthz"):
        request = head(bare_web, f"Content-Length: {10**9}", path=path)
        started = time.monotonic()
        assert status(send_raw(bare_web, request)) == 413
        assert time.monotonic() - started < 2


def test_endless_chunked_body_is_cut(bare_web: WebProcess) -> None:
    request = head(bare_web, "Transfer-Encoding: chunked")
    chunk = b"%x\r\n" % (64 * KIB) + b"x" * (64 * KIB) + b"\r\n"
    sent = 0
    with (
        socket.create_connection(("127.0.0.1", bare_web.port), TIMEOUT_S) as wire,
        suppress(OSError),
    ):
        wire.sendall(request)
        while sent < 1024 * KIB * KIB:
            wire.sendall(chunk)
            sent += len(chunk)
    # Bytes in the buffers of both kernels count as sent.
    assert sent < 16 * KIB * KIB
    assert status(
        send_raw(bare_web, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    )


@pytest.mark.parametrize(
    ("path", "limit"),
    [("/api/v1/runs/", 16 * KIB), ("/api/v1/runs/abcdefgh/moves/", 4 * KIB)],
)
def test_body_over_the_views_limit_is_refused(
    bare_web: WebProcess, path: str, limit: int
) -> None:
    browser = signed_in(guest_create(at=now()))
    session = browser.cookies["sessionid"].value
    cookie = f"Cookie: sessionid={session}; csrftoken={'a' * 32}"
    for size, is_refused in ((limit + 1, True), (limit, False), (100 * KIB, True)):
        body = json.dumps({"seed": ""}).encode().ljust(size)
        request = head(
            bare_web,
            cookie,
            f"X-CSRFToken: {'a' * 32}",
            "Content-Type: application/json",
            f"Content-Length: {size}",
            path=path,
        )
        answer = send_raw(bare_web, request, body)
        assert (status(answer) == 413) is is_refused, answer[:200]
        assert b"application/problem+json" in answer or not is_refused


@pytest.mark.django_db
def test_django_limits_bodies_itself(ada: Account) -> None:
    """The limit that holds under a server other than Daphne."""
    client: Client = signed_in(ada)
    for path, kind in (("/api/v1/runs/", "application/json"), ("/", "text/plain")):
        answer: Any = client.post(path, b"x" * 200 * KIB, content_type=kind)
        assert answer.status_code in (400, 405, 413)


# --- Headers ------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"X-Long: {'a' * 17 * KIB}"], id="long header"),
        pytest.param([f"X-{n}: a" for n in range(501)], id="501 headers"),
        pytest.param([f"Cookie: {'a=b; ' * 4 * KIB}"], id="long cookie"),
        pytest.param(["X-Odd : a"], id="space before the colon"),
        pytest.param(["X-Odd: a\x00b"], id="NUL"),
        pytest.param(["Content-Length: 3", "Content-Length: 4"], id="two lengths"),
        pytest.param(["Content-Length: -1"], id="negative length"),
        pytest.param(
            ["Content-Length: 4", "Transfer-Encoding: chunked"], id="length and chunks"
        ),
    ],
)
def test_malformed_or_oversized_headers_are_refused(
    bare_web: WebProcess, lines: list[str]
) -> None:
    answer = send_raw(bare_web, head(bare_web, *lines), b"0\r\n\r\n")
    assert status(answer) in (400, 413, 431, None)
    assert b"Traceback" not in answer


def test_long_request_line_is_refused(bare_web: WebProcess) -> None:
    for path in ("/" + "a" * 17 * KIB, "/?" + "a=b&" * 5 * KIB):
        answer = send_raw(bare_web, head(bare_web, path=path))
        assert status(answer) in (400, 414, None)


# --- Arrival time -------------------------------------------------------------


@pytest.fixture
def short_limit_web(
    transactional_db: None, security_folder: Path
) -> Iterator[WebProcess]:
    """A web process in which a request must arrive within `ARRIVAL_LIMIT_S`."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.security.site_settings"}
    limits = {"REDIS_URL": "", "REQUEST_WITHIN_S": str(ARRIVAL_LIMIT_S)}
    web = WebProcess(security_folder, **limits, **settings).start()
    yield web
    web.stop()


def send_slowly(web: WebProcess, start: bytes, piece: bytes) -> tuple[bytes, float]:
    """Send `piece` five times a second until cut; return the answer and the seconds."""
    with socket.create_connection(("127.0.0.1", web.port), CUT_BY_S) as wire:
        wire.sendall(start)
        started, answer = time.monotonic(), b""
        wire.settimeout(0.2)
        while (seconds := time.monotonic() - started) < 2 * CUT_BY_S:
            with suppress(TimeoutError):
                received = wire.recv(4096)
                answer += received
                if not received:
                    break
            with suppress(BrokenPipeError, ConnectionResetError):
                wire.sendall(piece)
        return answer, seconds


def test_slow_request_is_cut_at_the_time_limit(short_limit_web: WebProcess) -> None:
    for start, piece in (
        (head(short_limit_web, "Content-Length: 4096"), b"x"),
        (head(short_limit_web, "Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
        (head(short_limit_web)[:-2] + b"X-Slow: ", b"a"),
        (b"GET /", b"a"),
    ):
        answer, seconds = send_slowly(short_limit_web, start, piece)
        assert (status(answer), b"Connection: close" in answer) == (408, True), start
        assert ARRIVAL_LIMIT_S * 0.9 < seconds < CUT_BY_S, start


def test_time_limit_restarts_with_each_request_of_a_connection(
    short_limit_web: WebProcess,
) -> None:
    host = f"Host: 127.0.0.1:{short_limit_web.port}"
    request = f"GET /healthz HTTP/1.1\r\n{host}\r\n\r\n".encode()
    with socket.create_connection(
        ("127.0.0.1", short_limit_web.port), CUT_BY_S
    ) as wire:
        for _ in range(3):
            wire.sendall(request[:9])
            time.sleep(ARRIVAL_LIMIT_S * 0.3)
            wire.sendall(request[9:])
            answer = HTTPResponse(wire)
            answer.begin()
            assert (answer.status, bool(answer.read())) == (200, True)
            time.sleep(ARRIVAL_LIMIT_S * 0.5)
