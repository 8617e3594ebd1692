"""Encoding of frames, and the queue that sends them under a server besides Daphne."""

import asyncio
from typing import Any

import pytest

from api.ws.connection.frame_writer import EncodedFrame, frame_writer


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
def test_the_frame_header_holds_the_size(size, head):
    payload = b"x" * size
    assert EncodedFrame(payload).framed == head + payload


async def test_under_another_server_frames_are_sent_in_order():
    gate, sent = asyncio.Event(), []

    async def send(message: Any) -> None:
        await gate.wait()
        sent.append(message)

    writer = frame_writer(send)
    writer.write(EncodedFrame(b"one"))
    writer.write(EncodedFrame(b"three"))
    writer.close(4429)
    await asyncio.sleep(0)
    assert writer.unsent == 8
    gate.set()
    await asyncio.sleep(0.01)
    assert writer.unsent == 0
    assert [message.get("text", message.get("code")) for message in sent] == [
        "one",
        "three",
        4429,
    ]


async def test_under_another_server_a_broken_socket_drops_its_queue():
    async def send(message: Any) -> None:
        raise OSError

    writer = frame_writer(send)
    writer.write(EncodedFrame(b"one"))
    writer.write(EncodedFrame(b"two"))
    await asyncio.sleep(0.01)
    writer.write(EncodedFrame(b"three"))
    await asyncio.sleep(0.01)
