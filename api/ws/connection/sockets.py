"""One accepted socket: its identity, what it has been sent, sending and closing.

Sending never waits. A socket whose client does not read is closed once too many bytes
are unsent.
"""

from collections.abc import Mapping
from typing import Any

from api.ws.connection.frame_writer import EncodedFrame, FrameWriter
from api.ws.connection.identity import Identity
from api.ws.protocol.close_codes import NOT_READING
from api.ws.protocol.frames import now_text, write_frame
from game.services.accounts.browsers import Browser

RETRY_AFTER_MS = 1_000


class Socket:
    """An accepted socket, and what the hub notes about it."""

    __slots__ = (
        "answered_seq",
        "browser",
        "has_joined",
        "heartbeat_phase",
        "identity",
        "is_closed",
        "is_moving",
        "last_received_at",
        "max_unsent",
        "missed_own_run",
        "pending_reads",
        "sent_seq",
        "writer",
    )

    # Set at the end of the handshake.
    identity: Identity
    browser: Browser

    def __init__(self, writer: FrameWriter, *, max_unsent: int, now: float) -> None:
        self.writer = writer
        self.max_unsent = max_unsent
        self.last_received_at = now
        self.has_joined = False  # `hello` has been answered
        self.is_closed = False
        self.heartbeat_phase = 0  # in which of HEARTBEAT_S seconds it is sent one
        # Of a socket on a race: the last event it was sent, and the event of the last
        # move of its own that was answered.
        self.sent_seq = 0
        self.answered_seq = 0
        # While this socket plays a move, its run is not pushed: the answer has it.
        self.is_moving = False
        self.missed_own_run = False
        # While the database is read for it, it is sent no events.
        self.pending_reads = 0

    def send(
        self, kind: str, body: Mapping[str, Any], frame_id: str | None = None
    ) -> None:
        """Send one message to this socket alone."""
        self.write(EncodedFrame(write_frame(kind, body, frame_id=frame_id)))

    def send_event(self, event: Mapping[str, Any]) -> None:
        """Send an event {seq, kind, at, ...} that was cut for this socket's account."""
        self.write(encode_event(event))
        self.sent_seq = event["seq"]

    def write(self, frame: EncodedFrame) -> None:
        """Send a frame that other sockets may be sent too. Closes a slow client."""
        if self.is_closed:
            return
        if self.writer.unsent > self.max_unsent:
            self.close(NOT_READING, "slow", retry_after_ms=None)
            return
        self.writer.write(frame)

    def close(
        self, code: int, reason: str, *, retry_after_ms: int | None = RETRY_AFTER_MS
    ) -> None:
        """Send `bye` (not to a client that does not read) and close, once."""
        if self.is_closed:
            return
        self.is_closed = True
        if code != NOT_READING:
            bye = {"reason": reason, "retry_after_ms": retry_after_ms}
            self.writer.write(EncodedFrame(write_frame("bye", bye)))
        self.writer.close(code)


def encode_event(event: Mapping[str, Any]) -> EncodedFrame:
    """The `race.event` frame of an event {seq, kind, at, ...}."""
    body = {name: value for name, value in event.items() if name not in ("seq", "at")}
    at = event.get("at") or now_text()
    return EncodedFrame(write_frame("race.event", body, seq=event["seq"], at=at))
