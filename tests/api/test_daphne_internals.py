"""The internals that api.daphne_internals uses are unchanged; its writer's behaviour.

The limits are tested on a running server in tests/security/test_request_limits.py.
"""

import hashlib
import inspect
import re
import socket
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import daphne.http_protocol
import daphne.ws_protocol
import pytest
from autobahn.websocket.protocol import WebSocketProtocol
from twisted.internet import abstract, tcp
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.internet.testing import MemoryReactor
from twisted.web import http

from api.daphne_internals import (
    CHECKED_VERSIONS,
    STATE_OPEN,
    DaphneWriter,
    LimitedChannel,
    LimitedRequest,
    limit_requests,
)
from api.ws.connection.frame_writer import EncodedFrame

# ruff: noqa: N802, ARG002

ROOT = Path(__file__).parents[2]
SITE_PACKAGES = Path(daphne.__file__).parents[1]

# Every function that the module overrides, calls or depends on, with the first eight
# digits of its source's SHA-256. A change here means: read the new source, see whether
# the module still does what it says, then correct the digits.
RELIED_ON: dict[Callable[..., Any], str] = {
    daphne.http_protocol.HTTPFactory.buildProtocol: "35e878a6",
    daphne.http_protocol.WebRequest.__init__: "ec85d9f2",
    daphne.http_protocol.WebRequest.process: "e9babd1c",
    daphne.ws_protocol.WebSocketProtocol.serverSend: "345f2133",
    http.HTTPFactory.buildProtocol: "d08b3853",
    http.HTTPChannel.allContentReceived: "9f7c9906",
    http.HTTPChannel.allHeadersReceived: "979a9a84",
    http.HTTPChannel.connectionLost: "d0850abf",
    http.HTTPChannel.dataReceived: "152316e9",
    http.HTTPChannel.lineReceived: "b77ec6f2",
    http.HTTPChannel.loseConnection: "ad10d919",
    http.HTTPChannel.rawDataReceived: "e31f4ed8",
    http.HTTPChannel.requestDone: "a75a186c",
    http.HTTPChannel.write: "054334c7",
    http.Request.gotLength: "1c389b99",
    http.Request.handleContentChunk: "6e942756",
    http.Request.requestReceived: "99ca6c5e",
    abstract.FileDescriptor.doWrite: "a986d7b1",
    abstract.FileDescriptor.write: "3e46c97f",
    tcp.Connection.writeSomeData: "2dd0d420",
    WebSocketProtocol._connectionMade: "7ac58d8b",
    WebSocketProtocol.sendMessage: "048d6bcf",
    WebSocketProtocol.sendData: "5dcca425",
}
# Importing daphne.server would replace the event loop, so its source is read as text.
RELIED_ON_IN_SERVER = {
    "run": "92de327c",
    "create_application": "594da323",
    "kill_all_applications": "fad3f8bd",
}


def digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def server_function(name: str) -> str:
    flags = re.MULTILINE | re.DOTALL
    text = (SITE_PACKAGES / "daphne" / "server.py").read_text()
    found = re.search(
        rf"^    (async )?def {name}\(.*?(?=^    (async )?def |^    ###|\Z)",
        text,
        flags,
    )
    assert found, name
    return found[0]


def test_checked_versions_are_the_installed_and_the_locked_ones():
    assert {name: version(name) for name in CHECKED_VERSIONS} == CHECKED_VERSIONS
    lock = (ROOT / "requirements" / "base.txt").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)(?:\[\w+\])?==(\S+)", lock, re.MULTILINE))
    assert {name: locked[name] for name in CHECKED_VERSIONS} == CHECKED_VERSIONS


def test_functions_relied_on_are_unchanged():
    changed = [
        f"{one.__module__}.{one.__qualname__} is now {found}"
        for one, known in RELIED_ON.items()
        if (found := digest(inspect.getsource(one))) != known
    ]
    assert not changed


@pytest.mark.parametrize(("name", "expected"), RELIED_ON_IN_SERVER.items())
def test_server_functions_relied_on_are_unchanged(name, expected):
    assert digest(server_function(name)) == expected


def test_the_open_state_is_autobahns():
    assert WebSocketProtocol.STATE_OPEN == STATE_OPEN


def test_unsent_bytes_of_a_real_transport_are_counted():
    """If a client does not read, bytes that the kernel does not take are unsent."""
    ours, theirs = socket.socketpair()
    reader: Any = TwistedProtocol()
    reactor: Any = MemoryReactor()
    transport = tcp.Connection(ours, reader, reactor)
    transport.connected = 1
    protocol: Any = WebSocket()
    protocol.transport = transport
    with ours, theirs:
        ours.setblocking(False)
        writer = DaphneWriter(protocol)
        frame, sent = EncodedFrame(b"x" * 60_000), 0
        while not writer.unsent:
            writer.write(frame)
            sent += len(frame.framed)
            assert sent < 100_000_000
        first = writer.unsent
        writer.write(frame)
        assert writer.unsent == first + len(frame.framed)
        theirs.setblocking(False)
        read = 0
        while read < sent + len(frame.framed):
            with suppress(BlockingIOError):
                read += len(theirs.recv(1 << 20))
            transport.doWrite()
        assert writer.unsent == 0


def test_under_another_server_nothing_is_patched(monkeypatch):
    monkeypatch.delitem(sys.modules, "daphne.server", raising=False)
    limit_requests(within_s=1.0)
    assert not hasattr(LimitedChannel, "within_s")

    async def send(message: Any) -> None: ...

    assert DaphneWriter.of(send) is None


def test_limits_are_given_to_daphne(monkeypatch):
    server = types.SimpleNamespace(HTTPFactory=daphne.http_protocol.HTTPFactory)
    monkeypatch.setitem(sys.modules, "daphne.server", server)
    monkeypatch.setattr(LimitedChannel, "within_s", 0.0, raising=False)
    limit_requests(within_s=7.0)
    factory = server.HTTPFactory(server=None)
    channel = factory.buildProtocol(None)
    assert (channel.within_s, channel.requestFactory) == (7.0, LimitedRequest)


class Transport:
    """The part of Twisted's transport that the writer uses."""

    def __init__(self) -> None:
        self.dataBuffer, self.offset, self._tempDataLen = b"", 0, 0
        self.written: list[bytes] = []
        self.sent: list[bytes] = []
        self.capacity: int | Exception = 0  # what the kernel takes at once

    def writeSomeData(self, data: bytes) -> int | Exception:
        if isinstance(self.capacity, Exception):
            return self.capacity
        taken = min(self.capacity, len(data))
        self.sent.append(data[:taken])
        return taken

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self._tempDataLen += len(data)


class WebSocket:
    """The part of Daphne's websocket protocol that the writer uses."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.state = 3
        self._perMessageCompress: Any = None
        self.send_queue: list[Any] = []
        self.closed: list[int] = []
        self.sent: list[bytes] = []

    def sendPreparedMessage(self, message: Any) -> None:
        raise NotImplementedError

    def sendMessage(self, payload: bytes, binary: bool) -> None:
        self.sent.append(payload)

    def sendClose(self, code: int) -> None:
        self.state = 2
        self.closed.append(code)


def writer_on_socket() -> tuple[WebSocket, Any]:
    protocol = WebSocket()
    return protocol, DaphneWriter.of(_send(protocol))


def _send(protocol: WebSocket) -> Any:
    async def handle_reply(given: Any, message: Any) -> None:
        raise AssertionError("written straight through")

    return partial(handle_reply, protocol)


def test_writes_go_straight_into_the_transport():
    protocol, writer = writer_on_socket()
    writer.write(EncodedFrame(b"abc"))
    assert protocol.transport.written == [b"\x81\x03abc"]
    assert writer.unsent == 5
    protocol.transport.dataBuffer, protocol.transport.offset = b"12345678", 6
    assert writer.unsent == 7


def test_bytes_the_kernel_takes_at_once_are_not_buffered():
    protocol, writer = writer_on_socket()
    protocol.transport.capacity = 100
    writer.write(EncodedFrame(b"abc"))
    assert (protocol.transport.sent, protocol.transport.written) == (
        [b"\x81\x03abc"],
        [],
    )
    protocol.transport.capacity = 2
    writer.write(EncodedFrame(b"def"))
    assert protocol.transport.written == [b"def"]
    writer.write(EncodedFrame(b"ghi"))  # waits behind the rest of it
    assert protocol.transport.written == [b"def", b"\x81\x03ghi"]


def test_write_error_is_left_to_the_transport():
    protocol, writer = writer_on_socket()
    protocol.transport.capacity = ConnectionError()
    writer.write(EncodedFrame(b"abc"))
    assert protocol.transport.written == [b"\x81\x03abc"]


def test_closed_socket_is_not_written_to():
    protocol, writer = writer_on_socket()
    writer.close(4008)
    writer.close(4008)
    writer.write(EncodedFrame(b"abc"))
    assert protocol.closed == [4008]
    assert protocol.transport.written == []


def test_compressed_connection_is_written_to_by_autobahn():
    protocol, writer = writer_on_socket()
    protocol._perMessageCompress = object()
    writer.write(EncodedFrame(b"abc"))
    assert (protocol.sent, protocol.transport.written) == ([b"abc"], [])
