"""Where a socket's frames go out: writing without waiting, and what is still unsent.

Daphne hands an ASGI application a `send` that never waits for the client: whoever does
not read lets bytes pile up in the transport. So frames are written to the transport
itself (see api.daphne_internals), framed once for all their sockets: a tenth of the
cost of one ASGI message a socket. Under any other server, frames queue
here and one task sends them; what is unsent is then the queue. Knows no message.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from api.daphne_internals import DaphneWriter

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Packet:
    """A frame's payload, and its bytes on the wire, both made once."""

    __slots__ = ("_framed", "payload")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self._framed: bytes | None = None

    @property
    def framed(self) -> bytes:
        """An unmasked, final text frame (RFC 6455, section 5.2)."""
        if self._framed is None:
            self._framed = _head(len(self.payload)) + self.payload
        return self._framed


def _head(size: int) -> bytes:
    if size < 126:
        return bytes((0x81, size))
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class Wire(Protocol):
    """One socket's way out."""

    def write(self, packet: Packet) -> None:
        """Send a frame, without waiting; nothing happens on a closed socket."""

    @property
    def unsent(self) -> int:
        """Bytes that were written and have not left yet."""

    def close(self, code: int) -> None:
        """Begin the closing handshake."""


def wire_of(send: Send) -> Wire:
    """The wire behind an ASGI `send`, once the socket is accepted."""
    return DaphneWriter.of(send) or _QueueWire(send)


class _QueueWire:
    """One task a socket sends what is queued, in order."""

    __slots__ = ("_queue", "_send", "_size", "_task")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: deque[MutableMapping[str, Any]] = deque()
        self._size = 0
        self._task: asyncio.Task[None] | None = None

    def write(self, packet: Packet) -> None:
        text = packet.payload.decode()
        self._size += len(packet.payload)
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
