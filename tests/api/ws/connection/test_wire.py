"""A message's frame, and the queue that sends it under a server other than Daphne."""

import asyncio
from typing import Any

import pytest

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
