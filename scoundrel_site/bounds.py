"""How large a request's body may be, held while it comes in.

Daphne takes in the whole body, into memory and then onto the disk, before anybody of
ours sees the request; so a body without an end would fill the disk. Header lines are
bounded by Twisted (16 KiB, 500 of them). Knows Daphne's request and nothing of Django.
"""

from typing import Any

from daphne.http_protocol import WebRequest

# Twice what Django takes (DATA_UPLOAD_MAX_MEMORY_SIZE), which refuses in words.
LARGEST = 128 * 1024
_REFUSAL = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)

_got_length = WebRequest.gotLength
_handle_chunk = WebRequest.handleContentChunk
_received = WebRequest.requestReceived


def _length(request: Any, length: int | None) -> None:
    """The declared length is known: too large is refused before a byte of it."""
    request.body_bytes = 0
    _got_length(request, 0 if length is not None and length > LARGEST else length)
    if length is not None and length > LARGEST:
        _refuse(request)


def _chunk(request: Any, data: bytes) -> None:
    """More of the body, in whatever way it is sent."""
    request.body_bytes += len(data)
    if request.body_bytes <= LARGEST:
        _handle_chunk(request, data)
    else:
        _refuse(request)


def _whole(request: Any, *request_line: bytes) -> None:
    """All of it has come; what was refused goes no further."""
    if request.body_bytes <= LARGEST:
        _received(request, *request_line)


def _refuse(request: Any) -> None:
    if request.body_bytes != _REFUSED:
        request.body_bytes = _REFUSED
        request.channel.transport.write(_REFUSAL)
        request.channel.loseConnection()


# More than any body that is let in, so that nothing of the rest is kept.
_REFUSED = 1 << 62


def bound_bodies() -> None:
    """Have every request of this process keep to it."""
    WebRequest.gotLength = _length
    WebRequest.handleContentChunk = _chunk
    WebRequest.requestReceived = _whole
