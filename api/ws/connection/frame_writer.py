"""Writes frames to a socket without waiting, and knows how many bytes are unsent.

Daphne's ASGI `send` does not wait for the client: the frames of a client that does not
read pile up in the transport. So `DaphneWriter` writes to the transport itself, and a
frame is encoded once for all the sockets it is sent to. Under any other server frames
wait in a queue here, and one task sends them.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from api.daphne_internals import DaphneWriter

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class EncodedFrame:
    """The payload of a frame and, made once when needed, its websocket encoding."""

    __slots__ = ("_framed", "payload")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self._framed: bytes | None = None

    @property
    def framed(self) -> bytes:
        """The payload as an unmasked, final text frame (RFC 6455, section 5.2)."""
        if self._framed is None:
            self._framed = _frame_header(len(self.payload)) + self.payload
        return self._framed


def _frame_header(size: int) -> bytes:
    if size < 126:
        return bytes((0x81, size))
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class FrameWriter(Protocol):
    """Writes to one socket."""

    def write(self, frame: EncodedFrame) -> None:
        """Send a frame without waiting; does nothing on a closed socket."""

    @property
    def unsent(self) -> int:
        """Bytes that were written and not sent yet."""

    def close(self, code: int) -> None:
        """Begin the closing handshake."""


def frame_writer(send: Send) -> FrameWriter:
    """The writer for an ASGI `send`, once the socket is accepted."""
    return DaphneWriter.of(send) or _QueueWriter(send)


class _QueueWriter:
    """Queues frames; one task sends them in order."""

    __slots__ = ("_queue", "_send", "_size", "_task")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: deque[MutableMapping[str, Any]] = deque()
        self._size = 0
        self._task: asyncio.Task[None] | None = None

    def write(self, frame: EncodedFrame) -> None:
        text = frame.payload.decode()
        self._size += len(frame.payload)
        self._put({"type": "websocket.send", "text": text})

    @property
    def unsent(self) -> int:
        return self._size

    def close(self, code: int) -> None:
        self._put({"type": "websocket.close", "code": code})

    def _put(self, message: MutableMapping[str, Any]) -> None:
        self._queue.append(message)
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._send_all())

    async def _send_all(self) -> None:
        while self._queue:
            message = self._queue.popleft()
            try:
                await self._send(message)
            except OSError:
                self._queue.clear()
            self._size -= len(message.get("text", "").encode())
