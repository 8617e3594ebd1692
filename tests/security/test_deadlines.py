"""A request that drips in is cut, however far it has come."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path

import pytest

from tests.api.ws.served import Web
from tests.security.test_bounds import head, status

WITHIN_S = 2.0
DRIP_S = 0.2
# On a loaded machine; without a deadline the drops would last for twice that.
CUT_BY_S = 10.0


@pytest.fixture
def quick_web(transactional_db: None, security_folder: Path) -> Iterator[Web]:
    """A web process that waits for a request for two seconds."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.security.site_settings"}
    wanted = {"REDIS_URL": "", "REQUEST_WITHIN_S": str(WITHIN_S)}
    web = Web(security_folder, **wanted, **settings).start()
    yield web
    web.stop()


def dripped(web: Web, start: bytes, drop: bytes) -> tuple[bytes, float]:
    """Send a drop now and then until it is cut; what was said, and after how long."""
    with socket.create_connection(("127.0.0.1", web.port), CUT_BY_S) as wire:
        wire.sendall(start)
        begun, heard = time.monotonic(), b""
        wire.settimeout(DRIP_S)
        while (lasted := time.monotonic() - begun) < 2 * CUT_BY_S:
            with suppress(TimeoutError):
                piece = wire.recv(4096)
                heard += piece
                if not piece:
                    break
            with suppress(BrokenPipeError, ConnectionResetError):
                wire.sendall(drop)
        return heard, lasted


def test_a_drip_is_cut(quick_web: Web) -> None:
    for start, drop in (
        (head(quick_web, "Content-Length: 4096"), b"x"),
        (head(quick_web, "Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
        (head(quick_web)[:-2] + b"X-Slow: ", b"a"),
        (b"GET /", b"a"),
    ):
        heard, lasted = dripped(quick_web, start, drop)
        assert (status(heard), b"Connection: close" in heard) == (408, True), start
        assert WITHIN_S * 0.9 < lasted < CUT_BY_S, start


def test_each_request_of_a_connection_has_its_own_time(quick_web: Web) -> None:
    ask = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{quick_web.port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", quick_web.port), CUT_BY_S) as wire:
        for _ in range(3):
            wire.sendall(ask[:9])
            time.sleep(WITHIN_S * 0.3)
            wire.sendall(ask[9:])
            answer = HTTPResponse(wire)
            answer.begin()
            assert (answer.status, bool(answer.read())) == (200, True)
            time.sleep(WITHIN_S * 0.5)
