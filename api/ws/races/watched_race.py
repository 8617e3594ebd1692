"""One race that sockets of this process watch: the sockets and the latest events.

Only bookkeeping on the event loop: nothing here waits or reads the database.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from api.ws.connection.frame_writer import EncodedFrame
from api.ws.connection.sockets import Socket, encode_event
from api.ws.races.race_state import RaceState, RaceUpdate
from game.contest.horizon import Disclosure, Viewpoint, event_disclosure
from game.selectors.races.snapshots import KnownEvent, ViewerContext, event_show

KEPT_EVENTS = 512
# A move that makes a race overdue is usually followed by the service that settles it.
OVERDUE_DELAY_S = 0.25

# The frames of events that are sent to many sockets. By event and viewpoint, so that a
# viewer's frame is found at once, and by event and disclosure, so that viewers with
# different viewpoints share the frame if they are shown the same.
Frames = dict[tuple[int, Viewpoint | Disclosure], EncodedFrame]


class SharedSnapshot(NamedTuple):
    """A spectators' snapshot, being read or complete: (seq, the race as JSON)."""

    announced_seq: int  # of the race when reading began
    expires_at: float
    task: "asyncio.Task[tuple[int, bytes]]"

    def is_valid(self, announced_seq: int, now: float) -> bool:
        """Whether no event came since, and the reading did not fail."""
        has_failed = self.task.done() and (
            self.task.cancelled() or self.task.exception() is not None
        )
        is_current = self.announced_seq == announced_seq and now < self.expires_at
        return is_current and not has_failed


class DueTimer:
    """Calls a function when time changes a race, never before that instant."""

    def __init__(self, on_due: Callable[[], None]) -> None:
        self._on_due = on_due
        self._due_at: datetime | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._handled_due_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether the function will be called."""
        return self._handle is not None

    def set(self, due_at: datetime | None) -> None:
        """Call the function at `due_at`; None: not at all."""
        if self._handle is not None and self._due_at == due_at:
            return
        self.cancel()
        self._due_at = due_at
        if due_at is None:
            return
        delay_s = (due_at - datetime.now(UTC)).total_seconds()
        if delay_s < 0:
            if due_at == self._handled_due_at:
                return  # `check` will call it again should that have failed
            delay_s = OVERDUE_DELAY_S
        self._handle = asyncio.get_running_loop().call_later(delay_s, self._fire)

    def cancel(self) -> None:
        """Do not call the function."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def check(self, due_at: datetime | None) -> None:
        """Compare with the race's due time in the database; call what is overdue."""
        if due_at != self._due_at:
            self.set(due_at)
        elif due_at is not None and not self._handle and due_at <= datetime.now(UTC):
            self._fire()

    def _fire(self) -> None:
        self._handle = None
        # The event loop's clock may run ahead of the system's.
        if self._due_at is not None and datetime.now(UTC) < self._due_at:
            self.set(self._due_at)
            return
        self._handled_due_at = self._due_at
        self._on_due()


class WatchedRace:
    """A race with at least one socket here. `last_seq`: the last event known here."""

    def __init__(
        self, race_id: str, update: RaceUpdate, on_due: Callable[["WatchedRace"], None]
    ) -> None:
        self.race_id = race_id
        self.sockets: set[Socket] = set()
        self.state: RaceState = update.state
        self.last_seq = update.last_seq
        self.due_timer = DueTimer(lambda: on_due(self))
        self.shared_snapshot: SharedSnapshot | None = None
        self.noted_present: set[str] = set()  # entrants recorded as present
        # The last event announced by a notification or the sweep, and the events that
        # notifications have brought.
        self.announced_seq = update.last_seq
        self.announced_events: dict[int, KnownEvent] = {}
        self.is_delivering = False
        # The last chat message known here, and the sockets to which a message was sent
        # as the answer to `chat.say`.
        self.last_message = 0
        self.answered_messages: dict[int, Socket] = {}
        self.is_sending_chat = False
        self.has_new_chat = False
        self._events: deque[KnownEvent] = deque(maxlen=KEPT_EVENTS)
        self._contexts: dict[str | None, ViewerContext] = {}

    # --- Events -------------------------------------------------------------------

    def apply(self, update: RaceUpdate) -> None:
        """Add the events after `last_seq` and take over the new state."""
        for event in update.events:
            if event.row.seq == self.last_seq + 1:
                self._events.append(event)
                self.last_seq += 1
        self.state = update.state
        self._contexts.clear()
        for seq in [seq for seq in self.announced_events if seq <= self.last_seq]:
            del self.announced_events[seq]

    def pop_announced_events(self) -> list[KnownEvent]:
        """Remove and return the announced events that follow `last_seq` in order."""
        events, seq = [], self.last_seq + 1
        while seq in self.announced_events:
            events.append(self.announced_events.pop(seq))
            seq += 1
        return events

    def has_events_after(self, seq: int) -> bool:
        """Whether all events after that number are kept here."""
        return seq >= self.last_seq - len(self._events)

    def send_missing_events(self, socket: Socket, frames: Frames) -> bool:
        """Send a socket the events it lacks; False if they must be read.

        `frames` collects the frames, for use with other sockets of the race.
        """
        if (
            socket.sent_seq >= self.last_seq
            or not socket.has_joined
            or socket.pending_reads
        ):
            return True
        if not self.has_events_after(socket.sent_seq):
            return socket.is_closed
        context = self._context_of(socket)
        first = max(0, socket.sent_seq - (self.last_seq - len(self._events)))
        for index in range(first, len(self._events)):
            event = self._events[index]
            frame = frames.get((event.row.seq, context.viewpoint))
            socket.write(frame or _frame(event, context, frames))
        socket.sent_seq = self.last_seq
        return True

    def _context_of(self, socket: Socket) -> ViewerContext:
        account_id: str | None = socket.identity.account_id
        if account_id not in self.state.seats:
            account_id = None  # all spectators see the same
        context = self._contexts.get(account_id)
        if context is None:
            context = self._contexts[account_id] = self.state.viewer_context(account_id)
        return context

    # --- People -------------------------------------------------------------------

    def is_entrant(self, account_id: str) -> bool:
        """Whether that account takes part."""
        return account_id in self.state.seats

    def present_entrants(self) -> set[str]:
        """The entrants with a socket here that has said hello."""
        return self._present_accounts() & self.state.seats.keys()

    def spectator_count(self) -> int:
        """How many accounts watch here without taking part."""
        return len(self._present_accounts() - self.state.seats.keys())

    def _present_accounts(self) -> set[str]:
        return {
            socket.identity.account_id
            for socket in self.sockets
            if socket.has_joined and not socket.is_closed
        }

    def entrants_first(self) -> list[Socket]:
        """The sockets, those of entrants before those of spectators."""
        return sorted(
            self.sockets,
            key=lambda socket: not self.is_entrant(socket.identity.account_id),
        )


def _frame(event: KnownEvent, context: ViewerContext, frames: Frames) -> EncodedFrame:
    row, viewpoint = event.row, context.viewpoint
    disclosure = event_disclosure(row.kind, row.seat, row.needs, event.body, viewpoint)
    frame = frames.get((row.seq, disclosure))
    if frame is None:
        frame = encode_event(event_show(row, context, event.body))
        frames[row.seq, disclosure] = frame
    frames[row.seq, viewpoint] = frame
    return frame
