"""The ASGI application: request ids, unknown sockets, lifespan."""

import re
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from scoundrel_site.asgi import application

HTTP: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/healthz",
    "query_string": b"",
    "headers": [(b"host", b"testserver")],
    "client": ("127.0.0.1", 1),
    "server": ("testserver", 80),
}


async def answer(**scope: Any) -> tuple[int, dict[bytes, bytes]]:
    caller = ApplicationCommunicator(application, HTTP | scope)
    await caller.send_input({"type": "http.request", "body": b"", "more_body": False})
    start = await caller.receive_output(5)
    while (await caller.receive_output(5)).get("more_body"):
        pass
    await caller.wait(5)
    return start["status"], dict(start["headers"])


async def with_id(*ids: bytes) -> bytes:
    headers = [*HTTP["headers"], *((b"x-request-id", given) for given in ids)]
    return (await answer(headers=headers))[1][b"x-request-id"]


async def test_each_response_has_a_new_id():
    first, second = await with_id(), await with_id()
    assert re.fullmatch(rb"[0-9a-f]{32}", first)
    assert first != second


async def test_valid_id_is_kept():
    assert await with_id(b"caller-0123.4_5") == b"caller-0123.4_5"


@pytest.mark.parametrize(
    "bad", [b"short", b"a" * 65, b"with spaces", b"line\nbreak", b""]
)
async def test_invalid_id_is_replaced(bad):
    assert re.fullmatch(rb"[0-9a-f]{32}", await with_id(bad))


async def test_two_ids_are_replaced():
    assert re.fullmatch(rb"[0-9a-f]{32}", await with_id(b"a" * 8, b"b" * 8))


async def test_404_has_an_id():
    status, headers = await answer(path="/api/v1/none")
    assert status == 404
    assert b"x-request-id" in headers


async def test_lifespan_is_answered():
    caller = ApplicationCommunicator(application, {"type": "lifespan"})
    await caller.send_input({"type": "lifespan.startup"})
    assert await caller.receive_output(1) == {"type": "lifespan.startup.complete"}
    await caller.send_input({"type": "lifespan.shutdown"})
    assert await caller.receive_output(1) == {"type": "lifespan.shutdown.complete"}
    await caller.wait(1)


async def test_socket_to_an_unknown_path_is_closed():
    caller = ApplicationCommunicator(
        application, {"type": "websocket", "path": "/none", "headers": []}
    )
    await caller.send_input({"type": "websocket.connect"})
    assert (await caller.receive_output(1))["type"] == "websocket.accept"
    assert await caller.receive_output(1) == {"type": "websocket.close", "code": 4404}
    await caller.wait(1)
