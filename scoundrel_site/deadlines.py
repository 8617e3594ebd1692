"""How long a request may take to come in, whatever it drips.

Twisted ends a connection on which nothing comes; a byte now and then keeps it, and what
it has sent so far, for as long as its sender likes. So each request has a deadline from
its first byte to its last: headers and body alike. Knows Twisted's channel and nothing
of Django.
"""

from typing import Any

from daphne.http_protocol import WebRequest
from twisted.web.http import HTTPChannel

_CHANNEL: Any = HTTPChannel
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


def bound_arrivals(within_s: float) -> None:
    """Have every request of this process come in within so many seconds."""
    take, lose = _CHANNEL.dataReceived, _CHANNEL.connectionLost
    received = WebRequest.requestReceived

    def data(channel: Any, piece: bytes) -> None:
        # What comes while a request is answered waits its turn, unread and bounded.
        is_answering = channel._handlingRequest  # noqa: SLF001 - it has no other name
        if _deadline(channel) is None and not is_answering:
            channel.arrival = channel.callLater(within_s, _cut, channel)
        take(channel, piece)

    def whole(request: Any, *request_line: bytes) -> None:
        _arrived(request.channel)
        received(request, *request_line)

    def lost(channel: Any, reason: Any) -> None:
        _arrived(channel)
        lose(channel, reason)

    _CHANNEL.dataReceived = data
    _CHANNEL.connectionLost = lost
    WebRequest.requestReceived = whole


def _deadline(channel: Any) -> Any:
    return getattr(channel, "arrival", None)


def _arrived(channel: Any) -> None:
    call, channel.arrival = _deadline(channel), None
    if call is not None and call.active():
        call.cancel()


def _cut(channel: Any) -> None:
    channel.arrival = None
    channel.transport.write(_LATE)
    channel.loseConnection()
