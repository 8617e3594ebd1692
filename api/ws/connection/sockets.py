"""One open socket: who is behind it, what it has been sent, how it is told and closed.

Writing never waits. A socket whose client does not read is cut once too much is unsent.
"""

from typing import Any, NamedTuple

from api.ws.connection.wire import Packet, Wire
from api.ws.protocol.frames import now_text, write_frame

SLOW = 4008
SHUTTING_DOWN = 4503
RETRY_MS = 1_000


class Standing(NamedTuple):
    """A number that every act about an account raises, and whether it is banned."""

    rev: int
    banned: bool


class Identity(NamedTuple):
    """Who is behind a socket, and what showed it.

    `credential` names the session or token row; `stamp` changes when it stops being
    good though the row stays. `scopes` is None for a person, who may do everything.
    """

    account_id: str
    name: str
    is_guest: bool
    is_bot: bool
    is_staff: bool
    credential: tuple[str, str]
    stamp: str
    scopes: frozenset[str] | None = None
    standing_rev: int = 0
    barred: bool = False

    def may(self, scope: str) -> bool:
        """Whether what he showed allows that."""
        return self.scopes is None or scope in self.scopes


class Socket:
    """An accepted socket. `sent` is the number of the last event that it was sent."""

    __slots__ = (
        "answered",
        "asking",
        "closed",
        "heard_at",
        "holds",
        "identity",
        "joined",
        "most_unsent",
        "overlooked",
        "phase",
        "sent",
        "wire",
    )

    identity: Identity  # set once the gate has opened

    def __init__(self, wire: Wire, *, most_unsent: int, now: float) -> None:
        self.wire = wire
        self.most_unsent = most_unsent
        self.heard_at = now
        self.phase = 0  # in which of the seconds its heartbeat comes
        self.sent = 0
        self.answered = 0  # the event of the last move that it was answered itself
        self.asking = False  # a move of its own is being played: its answer has the run
        self.overlooked = False  # its run changed meanwhile, and it was not shown
        self.joined = False  # it has said hello
        self.holds = 0  # readings for it under way: no events meanwhile
        self.closed = False

    def send(
        self, kind: str, body: dict[str, Any], frame_id: str | None = None
    ) -> None:
        """Send one message of the server's to this socket alone."""
        self.write(Packet(write_frame(kind, body, frame_id=frame_id)))

    def write_event(self, event: dict[str, Any]) -> None:
        """Send an event that was cut for this socket alone."""
        self.write(event_packet(event))
        self.sent = event["seq"]

    def write(self, packet: Packet) -> None:
        """Send a frame that may be shared with others; cuts a client who reads none."""
        if self.closed:
            return
        if self.wire.unsent > self.most_unsent:
            self.end(SLOW, "slow", retry_ms=None)
            return
        self.wire.write(packet)

    def end(self, code: int, reason: str, *, retry_ms: int | None = RETRY_MS) -> None:
        """Say `bye` and close; once."""
        if self.closed:
            return
        self.closed = True
        if code != SLOW:
            bye = {"reason": reason, "retry_after_ms": retry_ms}
            self.wire.write(Packet(write_frame("bye", bye)))
        self.wire.close(code)


def event_packet(event: dict[str, Any]) -> Packet:
    """The frame of an event as `race_events` gives it: {seq, kind, at, ...body}."""
    body = {name: value for name, value in event.items() if name not in ("seq", "at")}
    at = event.get("at") or now_text()
    frame = write_frame("race.event", body, seq=event["seq"], at=at)
    return Packet(frame)
