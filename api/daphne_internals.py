"""All code that depends on internals of Daphne, Twisted and autobahn.

It is needed where they have no public hook:

- `limit_requests`: Daphne stores a whole body before the application sees the request
  and offers no limit on its size or on the time that a request takes to arrive. Caddy
  sets the same limits in front of it; these hold without Caddy too. (Twisted limits
  headers itself: 16 KiB and 500 lines.)
- `DaphneWriter`: ASGI's `send` cannot tell how many bytes a slow client has left
  unread, and costs ten times as much as a write to the transport.
- `before_shutdown`: Daphne's own shutdown drops sockets without a close frame.

`tests/api/test_daphne_internals.py` fails when a release changes any function that this
module relies on. Then read the change, correct this module and update both lists.
"""

import socket
import sys
from collections.abc import Callable
from typing import Any, Protocol

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

# The releases that this module was checked against; requirements/base.txt has the same.
CHECKED_VERSIONS = {"autobahn": "26.10.2", "daphne": "4.2.3", "twisted": "26.10.0"}

# --- Limits on a request ------------------------------------------------------

# Twice Django's own limit (DATA_UPLOAD_MAX_MEMORY_SIZE), whose answer has a body.
MAX_BODY_BYTES = 128 * 1024

_TOO_LARGE = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)
_TIMED_OUT = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


def limit_requests(*, within_s: float) -> None:
    """Limit the body's size and the arrival time of every request of this process.

    A body over `MAX_BODY_BYTES` is answered 413; a request that has not arrived
    completely `within_s` seconds after its first byte is answered 408. Both close the
    connection. Call it before Daphne starts; under another server it does nothing.
    """
    server: Any = sys.modules.get("daphne.server")
    if server is not None:
        LimitedChannel.within_s = within_s
        server.HTTPFactory = LimitedHTTPFactory  # Server.run looks the name up


class LimitedRequest(WebRequest):
    """A request whose body may have `MAX_BODY_BYTES`, declared or not."""

    _body_bytes = 0
    _is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """Refuse a declared length that is too large before any of the body comes."""
        is_too_large = length is not None and length > MAX_BODY_BYTES
        super().gotLength(0 if is_too_large else length)
        if is_too_large:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Store a part of the body, unless the request is refused."""
        self._body_bytes += len(data)
        if self._body_bytes > MAX_BODY_BYTES:
            self._refuse()
        elif not self._is_refused:
            super().handleContentChunk(data)

    def requestReceived(  # noqa: N802 - Twisted's name
        self, command: bytes, path: bytes, version: bytes
    ) -> None:
        """Hand the complete request to the application, unless it is refused."""
        if not self._is_refused:
            super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        if not self._is_refused:
            self._is_refused = True
            self.channel.write(_TOO_LARGE)
            self.channel.loseConnection()


class LimitedChannel(HTTPChannel):
    """An HTTP/1.1 connection on which each request must arrive `within_s` seconds.

    Twisted's own timeout restarts with every byte, so a client that sends a byte now
    and then would hold the connection forever.
    """

    within_s: float
    _deadline: Any = None
    _is_answering = False

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Start the deadline with a request's first byte."""
        # Twisted buffers up to 16 KiB of the next request while it answers one.
        if self._deadline is None and not self._is_answering:
            self._deadline = self.callLater(self.within_s, self._time_out)
        super().dataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802 - Twisted's name
        """Stop the deadline: the request is complete."""
        self._stop_deadline()
        self._is_answering = True
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:  # noqa: N802 - Twisted's name
        """Expect the next request, if the connection stays open."""
        if self.persistent:
            self._is_answering = False
        super().requestDone(request)

    def connectionLost(  # noqa: N802 - Twisted's name
        self, reason: Failure = connectionDone
    ) -> None:
        """Stop the deadline with the connection."""
        self._stop_deadline()
        super().connectionLost(reason)

    def _stop_deadline(self) -> None:
        call, self._deadline = self._deadline, None
        if call is not None and call.active():
            call.cancel()

    def _time_out(self) -> None:
        self._deadline = None
        self.write(_TIMED_OUT)
        self.loseConnection()


class LimitedHTTPFactory(HTTPFactory):
    """Daphne's factory with the two classes above."""

    protocol = LimitedChannel

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        """Return the channel of a new connection."""
        channel = super().buildProtocol(addr)
        channel.requestFactory = LimitedRequest
        return channel


# --- Writing to a websocket ---------------------------------------------------

# The kernel would otherwise buffer megabytes for each socket.
KERNEL_BUFFER_BYTES = 64 * 1024
STATE_OPEN = 3  # autobahn's WebSocketProtocol.STATE_OPEN


class Frame(Protocol):
    """A message's payload, and the same as a complete websocket frame."""

    @property
    def payload(self) -> bytes:
        """The text of the message, in UTF-8."""

    @property
    def framed(self) -> bytes:
        """The payload with its frame header."""


class DaphneWriter:
    """Writes frames straight into the Twisted transport of one websocket."""

    __slots__ = ("_protocol", "_transport")

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._transport = protocol.transport
        handle = getattr(self._transport, "socket", None)
        if handle is not None:
            handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER_BYTES)

    @classmethod
    def of(cls, send: Any) -> "DaphneWriter | None":
        """Return the writer behind an accepted socket's `send`; None if not Daphne's.

        Daphne passes `functools.partial(server.handle_reply, protocol)` as `send`.
        """
        protocol = (getattr(send, "args", None) or (None,))[0]
        transport = getattr(protocol, "transport", None)
        if hasattr(protocol, "send_queue") and hasattr(transport, "dataBuffer"):
            return cls(protocol)
        return None

    def write(self, frame: Frame) -> None:
        """Send a frame without waiting; does nothing on a closed socket."""
        protocol = self._protocol
        if protocol.state != STATE_OPEN:
            return
        if protocol._perMessageCompress is not None or protocol.send_queue:  # noqa: SLF001
            protocol.sendMessage(frame.payload, False)
            return
        transport, data = self._transport, frame.framed
        if not (transport._tempDataLen or transport.dataBuffer):  # noqa: SLF001
            # The buffer is empty. Usually the kernel accepts the whole frame, and the
            # reactor does not have to wait until the socket is writable.
            accepted = transport.writeSomeData(data)
            if accepted == len(data):
                return
            if isinstance(accepted, int) and accepted > 0:
                data = data[accepted:]
        transport.write(data)

    @property
    def unsent(self) -> int:
        """Bytes that were written and that the kernel has not taken yet."""
        transport = self._transport
        waiting: int = len(transport.dataBuffer) - transport.offset
        return waiting + int(transport._tempDataLen)  # noqa: SLF001

    def close(self, code: int) -> None:
        """Begin the closing handshake."""
        # autobahn drops a client that does not answer the close within a second.
        if self._protocol.state == STATE_OPEN:
            self._protocol.sendClose(code=code)


# --- Shutting down ------------------------------------------------------------

# How long the last frames have to leave the process.
FLUSH_S = 0.2


def before_shutdown(act: Callable[[], None]) -> None:
    """Call `act` when the reactor stops, then wait `FLUSH_S` for what it has written.

    Daphne cancels its applications when it stops, but gives up at the first connection
    that has none (an upgraded one in its first second, or half a request: a KeyError at
    `details["application_instance"]`, which Twisted swallows). So this
    function registers with the reactor. Under a server without Twisted it does nothing:
    there the server cancels every application.
    """
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        return
    from twisted.internet.task import deferLater  # noqa: PLC0415 - needs a reactor

    def act_and_wait() -> Any:
        act()
        return deferLater(reactor, FLUSH_S, lambda: None)

    reactor.addSystemEventTrigger("before", "shutdown", act_and_wait)
