"""One race as this process watches it: its sockets and its latest events.

Pure bookkeeping on the event loop: no waiting, no database. `api.ws.hub` feeds it.
"""

from asyncio import Future, TimerHandle
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from api.ws.sockets import Socket, event_packet
from api.ws.source import Event, News, Role, Source
from api.ws.wire import Packet

KEPT_EVENTS = 512


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
        self.is_pumping = False
        self.due_at: datetime | None = None
        self.was_due: datetime | None = None  # the due time that was last acted on
        self.timer: TimerHandle | None = None
        self.shared: Shared | None = None
        self._events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self._roles: dict[str, Role] = {}
        self._news = news
        self.take(news)

    def take(self, news: News) -> None:
        """Learn what has happened since `head`."""
        for event in news.events:
            if event["seq"] == self.head + 1:
                self._events.append(event)
                self.head += 1
        if news.head > self.head and not news.events:
            # Events that cannot be had: whoever needs them gets a snapshot.
            self._events.clear()
            self.head = news.head
        self._news = news
        self._roles.clear()
        self.due_at = news.due_at

    def is_entrant(self, account_id: str) -> bool:
        """Whether that account takes part."""
        return account_id in self._news.accounts

    def role_of(self, socket: Socket) -> Role:
        """How that socket's account sees the race."""
        account_id = socket.identity.account_id
        role = self._roles.get(account_id)
        if role is None:
            role = self._roles[account_id] = self._news.role_of(account_id)
        return role

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
        return sorted(
            self.sockets, key=lambda each: not self.is_entrant(each.identity.account_id)
        )

    def bring_up(
        self, socket: Socket, packets: dict[tuple[int, object], Packet]
    ) -> bool:
        """Write the socket what it lacks; False where the database must help.

        `packets` shares each frame between all whose role sees it alike.
        """
        if not socket.joined or socket.holds or socket.closed:
            return True
        if socket.sent >= self.head:
            return True
        if not self.knows_after(socket.sent):
            return False
        role = self.role_of(socket)
        for event in self.events_after(socket.sent):
            mark = (event["seq"], role.key)
            packet = packets.get(mark)
            if packet is None:
                shown = self.source.cut(event, role)
                packet = packets[mark] = event_packet(shown)
            socket.write(packet)
        socket.sent = self.head
        return True
