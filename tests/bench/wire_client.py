"""A websocket client that costs next to nothing, for making load on this machine.

No compression, a mask of zeros, whole text frames only; `on_frame(client, payload, at)`
is called as they come, `at` being the monotonic time of the reading.
"""

import asyncio
import base64
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

Heard = Callable[["Client", bytes, float], None]


class Client(asyncio.Protocol):
    """One connection, masked and framed by hand (RFC 6455)."""

    def __init__(self, head: bytes, on_frame: Heard) -> None:
        self._head, self.on_frame = head, on_frame
        self._bytes = bytearray()
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_closed = False
        self._is_up = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._head)

    def data_received(self, data: bytes) -> None:
        at = time.monotonic()
        self._bytes += data
        if not self._is_up and not self._answered():
            return
        place = 0
        while (found := _frame(self._bytes, place)) is not None:
            kind, start, place = found
            payload = bytes(self._bytes[start:place])
            if kind == 1:
                self.on_frame(self, payload, at)
            elif kind == 9:
                self._write(0x8A, payload)
            elif kind == 8:
                self.close()
        del self._bytes[:place]

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed in the handshake"))

    def _answered(self) -> bool:
        end = self._bytes.find(b"\r\n\r\n")
        if end < 0:
            return False
        del self._bytes[: end + 4]
        self._is_up = True
        self.opened.set_result(None)
        return True

    def send(self, payload: bytes) -> None:
        """Send one text frame."""
        self._write(0x81, payload)

    def _write(self, first: int, payload: bytes) -> None:
        size = len(payload)
        head = (
            bytes((first, 128 | size))
            if size < 126
            else (bytes((first, 254)) + size.to_bytes(2, "big"))
        )
        if self._transport is not None and not self.is_closed:
            self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Close at once."""
        self.is_closed = True
        if self._transport is not None:
            self._transport.close()


def _frame(data: bytearray, place: int) -> tuple[int, int, int] | None:
    """The next frame's kind and where its payload begins and ends; None: not whole."""
    if len(data) - place < 2:
        return None
    size, start = data[place + 1] & 127, place + 2
    if size > 125:
        width = 2 if size == 126 else 8
        if len(data) - start < width:
            return None
        size = int.from_bytes(data[start : start + width], "big")
        start += width
    if len(data) - start < size:
        return None
    return data[place] & 15, start, start + size


async def opened(
    port: int, path: str, headers: dict[str, str], on_frame: Heard
) -> Client:
    """A connection whose handshake is done."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    head = "\r\n".join([*lines, "", ""]).encode()
    _, client = await asyncio.get_running_loop().create_connection(
        lambda: Client(head, on_frame), "127.0.0.1", port
    )
    await asyncio.wait_for(client.opened, 30)
    return client


def share(values: Iterable[float], percent: float) -> float:
    """That percentile."""
    found = sorted(values)
    return found[min(len(found) - 1, int(percent / 100 * len(found)))]


def cpu_of(pid: int) -> float:
    """The seconds of CPU that a process has used, its threads included."""
    said = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    """The bytes that a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise ValueError(pid)
