"""A websocket client that needs little CPU, to make load on the same machine.

No compression, a mask of zeros, unfragmented text frames only. Calls
`on_frame(client, payload, at)` for each frame; `at` is the monotonic time.
"""

import asyncio
import base64
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

OnFrame = Callable[["Client", bytes, float], None]


class Client(asyncio.Protocol):
    """One connection, masked and framed by hand (RFC 6455)."""

    def __init__(self, request: bytes, on_frame: OnFrame) -> None:
        self._request, self.on_frame = request, on_frame
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_closed = False
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        at = time.monotonic()
        self._buffer += data
        if not self._is_open and not self._read_response():
            return
        end = 0
        while (found := _next_frame(self._buffer, end)) is not None:
            opcode, start, end = found
            payload = bytes(self._buffer[start:end])
            if opcode == 1:
                self.on_frame(self, payload, at)
            elif opcode == 9:
                self._write(0x8A, payload)
            elif opcode == 8:
                self.close()
        del self._buffer[:end]

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed in the handshake"))

    def _read_response(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        del self._buffer[: end + 4]
        self._is_open = True
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
        """Close the connection without a close frame."""
        self.is_closed = True
        if self._transport is not None:
            self._transport.close()


def _next_frame(data: bytearray, at: int) -> tuple[int, int, int] | None:
    """The next frame's opcode, start and end of its payload; None: incomplete."""
    if len(data) - at < 2:
        return None
    size, start = data[at + 1] & 127, at + 2
    if size > 125:
        width = 2 if size == 126 else 8
        if len(data) - start < width:
            return None
        size = int.from_bytes(data[start : start + width], "big")
        start += width
    if len(data) - start < size:
        return None
    return data[at] & 15, start, start + size


async def connect(
    port: int, path: str, headers: dict[str, str], on_frame: OnFrame
) -> Client:
    """Connect and wait for the end of the handshake."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    request = "\r\n".join([*lines, "", ""]).encode()
    _, client = await asyncio.get_running_loop().create_connection(
        lambda: Client(request, on_frame), "127.0.0.1", port
    )
    await asyncio.wait_for(client.opened, 30)
    return client


def percentile(values: Iterable[float], percent: float) -> float:
    """The value that `percent` per cent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))]


def cpu_seconds(pid: int) -> float:
    """The CPU seconds that a process has used, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_bytes(pid: int) -> int:
    """The resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise ValueError(pid)
