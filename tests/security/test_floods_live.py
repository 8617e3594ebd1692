"""Floods of sockets, frames and moves against a running process."""

import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from game.models import Account
from game.services.accounts.accounts import guest_create
from game.services.runs.runs import practice_start
from tests.api.ws.web_process import SocketClient, WebProcess, session_cookie
from tests.fixtures.races import now
from tests.fixtures.runs import signed_in


@pytest.fixture
def sockets(bare_web: WebProcess) -> Iterator[Callable[..., SocketClient]]:
    """Return a function that opens lobby sockets; they are closed after the test."""
    opened: list[SocketClient] = []

    def open_one(account: Account) -> SocketClient:
        cookie = {"Cookie": session_cookie(account), "Origin": bare_web.origin}
        opened.append(SocketClient(bare_web, "lobby/", headers=cookie))
        return opened[-1]

    yield open_one
    for caller in opened:
        caller.close()


def test_sockets_of_one_account_are_limited(
    sockets: Callable[..., SocketClient],
) -> None:
    ada = guest_create(at=now())
    for _ in range(8):
        assert sockets(ada).wait_for("welcome")
    for _ in range(3):
        assert sockets(ada).wait_for_close() == 4429


def test_sockets_of_one_address_are_limited(
    sockets: Callable[..., SocketClient],
) -> None:
    for n in range(20):
        assert sockets(guest_create(at=now())).wait_for("welcome"), n
    for _ in range(3):
        assert sockets(guest_create(at=now())).wait_for_close() == 4429


@pytest.mark.parametrize(
    ("frame", "codes"),
    [
        pytest.param('{"v":1,"t":"ping","id":"a","d":{"t0":1}}', {4429}, id="frames"),
        pytest.param('{"v":1,"t":"hello","id":"a","d":{}}', {4429}, id="hellos"),
        pytest.param("x" * 4000, {4400, 4429}, id="bad frames"),
        pytest.param("x" * 5000, {4400, 4429, 1009}, id="large frames"),
    ],
)
def test_endless_frames_close_the_socket(
    sockets: Callable[..., SocketClient], frame: str, codes: set[int]
) -> None:
    caller = sockets(guest_create(at=now()))
    caller.wait_for("welcome")
    started = time.monotonic()
    with suppress(ConnectionClosed, OSError):
        for _ in range(2000):
            caller.socket.send(frame)
    assert caller.wait_for_close() in codes
    assert time.monotonic() - started < 10
    assert len(caller.frames) < 60


def test_endless_moves_are_limited(bare_web: WebProcess) -> None:
    """The limit of the process: forty in a burst, then ten a second."""
    account = guest_create(at=now())
    run = practice_start(account=account, at=now(), seed="a")
    session = signed_in(account).cookies["sessionid"].value
    headers = {
        "Cookie": f"sessionid={session}; csrftoken={'a' * 32}",
        "X-CSRFToken": "a" * 32,
        "Content-Type": "application/json",
    }
    body = json.dumps({"index": 0, "move": "avoid"})
    seen: list[int] = []
    started = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", bare_web.port)) as wire:
        for _ in range(200):
            wire.request("POST", f"/api/v1/runs/{run.id}/moves/", body, headers)
            answer = wire.getresponse()
            answer.read()
            seen.append(answer.status)
    spent = time.monotonic() - started
    assert set(seen) == {200, 409, 429}
    assert sum(status != 429 for status in seen) <= 41 + 10 * spent
