"""The ways out of a socket: Daphne's transport, and a queue elsewhere."""

import asyncio
from functools import partial
from typing import Any

import pytest

# ruff: noqa: N802, ARG002
from api.ws.connection.wire import Packet, wire_of


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65535, b"\x81\x7e\xff\xff"),
        (65536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_frames_are_headed_by_their_size(size, head):
    payload = b"x" * size
    assert Packet(payload).framed == head + payload


class Transport:
    """As much of Twisted's as is used."""

    def __init__(self) -> None:
        self.dataBuffer, self.offset, self._tempDataLen = b"", 0, 0
        self.written: list[bytes] = []
        self.sent: list[bytes] = []
        self.room: int | Exception = 0  # what the kernel takes at once

    def writeSomeData(self, data: bytes) -> int | Exception:
        if isinstance(self.room, Exception):
            return self.room
        taken = min(self.room, len(data))
        self.sent.append(data[:taken])
        return taken

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self._tempDataLen += len(data)


class Daphne:
    """As much of Daphne's protocol as is used, under its names."""

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


def daphne() -> tuple[Daphne, Any]:
    protocol = Daphne()
    return protocol, wire_of(_send(protocol))


def _send(protocol: Daphne) -> Any:
    async def handle_reply(given: Any, message: Any) -> None:
        raise AssertionError("written straight through")

    return partial(handle_reply, protocol)


def test_under_daphne_bytes_go_straight_into_the_transport():
    protocol, wire = daphne()
    wire.write(Packet(b"abc"))
    assert protocol.transport.written == [b"\x81\x03abc"]
    assert wire.unsent == 5
    protocol.transport.dataBuffer, protocol.transport.offset = b"12345678", 6
    assert wire.unsent == 7


def test_what_the_kernel_takes_at_once_does_not_wait():
    protocol, wire = daphne()
    protocol.transport.room = 100
    wire.write(Packet(b"abc"))
    assert (protocol.transport.sent, protocol.transport.written) == (
        [b"\x81\x03abc"],
        [],
    )
    protocol.transport.room = 2
    wire.write(Packet(b"def"))
    assert protocol.transport.written == [b"def"]
    wire.write(Packet(b"ghi"))  # waits behind the rest of it
    assert protocol.transport.written == [b"def", b"\x81\x03ghi"]


def test_a_lost_connection_is_left_to_the_reactor():
    protocol, wire = daphne()
    protocol.transport.room = ConnectionError()
    wire.write(Packet(b"abc"))
    assert protocol.transport.written == [b"\x81\x03abc"]


def test_under_daphne_a_closed_socket_takes_nothing():
    protocol, wire = daphne()
    wire.close(4008)
    wire.close(4008)
    wire.write(Packet(b"abc"))
    assert protocol.closed == [4008]
    assert protocol.transport.written == []


def test_a_compressed_connection_is_left_to_its_protocol():
    protocol, wire = daphne()
    protocol._perMessageCompress = object()
    wire.write(Packet(b"abc"))
    assert (protocol.sent, protocol.transport.written) == ([b"abc"], [])


async def test_elsewhere_frames_queue_in_order():
    gate, sent = asyncio.Event(), []

    async def send(message: Any) -> None:
        await gate.wait()
        sent.append(message)

    wire = wire_of(send)
    wire.write(Packet(b"one"))
    wire.write(Packet(b"three"))
    wire.close(4429)
    await asyncio.sleep(0)
    assert wire.unsent == 8
    gate.set()
    await asyncio.sleep(0.01)
    assert wire.unsent == 0
    assert [message.get("text", message.get("code")) for message in sent] == [
        "one",
        "three",
        4429,
    ]


async def test_elsewhere_a_broken_socket_takes_nothing_more():
    async def send(message: Any) -> None:
        raise OSError

    wire = wire_of(send)
    wire.write(Packet(b"one"))
    wire.write(Packet(b"two"))
    await asyncio.sleep(0.01)
    wire.write(Packet(b"three"))
    await asyncio.sleep(0.01)
