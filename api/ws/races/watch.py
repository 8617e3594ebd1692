"""One race as this process watches it: its sockets and its latest events.

Pure bookkeeping on the event loop: no waiting, no database. The hub feeds it.
"""

from asyncio import Future, TimerHandle
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from api.ws.connection.sockets import Socket, event_packet
from api.ws.connection.wire import Packet
from api.ws.races.source import Event, News, Role, Source

KEPT_EVENTS = 512

# One frame for all whose role, or at least whose cut of that event, is the same.
Packets = dict[tuple[int, object], Packet]


class Shared(NamedTuple):
    """A snapshot for spectators, being read or read, when `seq` had been heard of."""

    seq: int
    until: float
    made: "Future[tuple[int, bytes]]"

    def is_good(self, seq: int, now: float) -> bool:
        """Whether it still shows the race as it stands."""
        failed = self.made.done() and (
            self.made.cancelled() or self.made.exception() is not None
        )
        return self.seq == seq and now < self.until and not failed


class Watch:
    """The sockets of one race; `head` is the number of the last event known here."""

    def __init__(self, race_id: str, source: Source, news: News) -> None:
        self.race_id = race_id
        self.source = source
        self.sockets: set[Socket] = set()
        self.head = self.wanted = news.head
        self.chat = 0  # the number of the last message known here
        self.spoken: dict[int, Socket] = {}  # who was answered a message that is new
        self.present: set[str] = set()  # accounts of entrants noted as being here
        self.at_hand: dict[int, Any] = {}  # rows the doorbell brought, by number
        self.is_pumping = False
        self.is_telling = self.tell_again = False
        self.was_due: datetime | None = None  # the due time that was last acted on
        self.timer: TimerHandle | None = None
        self.alarm_at: datetime | None = None  # when the timer rings
        self.shared: Shared | None = None
        self.news = news
        self._events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self._roles: dict[str | None, Role] = {}

    def take(self, news: News) -> None:
        """Learn what has happened since `head`."""
        for event in news.events:
            if event.seq == self.head + 1:
                self._events.append(event)
                self.head += 1
        self.news = news
        self._roles.clear()
        for seq in [seq for seq in self.at_hand if seq <= self.head]:
            del self.at_hand[seq]

    def next_at_hand(self) -> list[Any]:
        """The rows brought by the doorbell that follow `head`, in order."""
        rows, seq = [], self.head + 1
        while seq in self.at_hand:
            rows.append(self.at_hand.pop(seq))
            seq += 1
        return rows

    def is_entrant(self, account_id: str) -> bool:
        """Whether that account takes part."""
        return account_id in self.news.accounts

    def role_of(self, socket: Socket) -> Role:
        """How that socket's account sees the race."""
        account_id: str | None = socket.identity.account_id
        if account_id not in self.news.accounts:
            account_id = None
        role = self._roles.get(account_id)
        if role is None:
            role = self._roles[account_id] = self.news.role_of(account_id)
        return role

    def accounts_here(self) -> set[str]:
        """The entrants with a socket here that has said hello."""
        here = {
            s.identity.account_id for s in self.sockets if s.joined and not s.closed
        }
        return here & self.news.accounts

    def spectators(self) -> int:
        """How many watch here without taking part."""
        here = {
            s.identity.account_id for s in self.sockets if s.joined and not s.closed
        }
        return len(here - self.news.accounts)

    def knows_after(self, seq: int) -> bool:
        """Whether all events after that number are kept here."""
        return seq >= self.head - len(self._events)

    def events_after(self, seq: int) -> Iterator[Event]:
        """The kept events after that number, in order."""
        skipped = max(0, seq - (self.head - len(self._events)))
        for index in range(skipped, len(self._events)):
            yield self._events[index]

    def in_order(self) -> list[Socket]:
        """The sockets, those of the entrants first."""
        entrants = self.news.accounts
        return sorted(
            self.sockets, key=lambda one: one.identity.account_id not in entrants
        )

    def bring_up(self, socket: Socket, packets: Packets) -> bool:
        """Write the socket what it lacks; False where the database must help.

        `packets` is filled with the frames made, for the sockets that come after.
        """
        if socket.sent >= self.head or not socket.joined or socket.holds:
            return True
        if not self.knows_after(socket.sent):
            return socket.closed
        role = self.role_of(socket)
        for event in self.events_after(socket.sent):
            packet = packets.get((event.seq, role.key))
            socket.write(packet or self._packet(event, role, packets))
        socket.sent = self.head
        return True

    def _packet(self, event: Event, role: Role, packets: Packets) -> Packet:
        mark = (event.seq, self.source.key(event, role))
        packet = packets.get(mark)
        if packet is None:
            packet = packets[mark] = event_packet(self.source.cut(event, role))
        packets[event.seq, role.key] = packet
        return packet
