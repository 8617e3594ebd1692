"""The hub of a process: sends the events of each race to the sockets that watch it.

A notification, or the sweep each second, says that a race has new events. They are read
once, encoded once for all viewers who see them alike, and written to each socket. The
sweep alone is enough for correctness; notifications make delivery faster. A socket that
lacks more than is kept here is served from the database.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

import structlog

from api.ws.connection import database
from api.ws.connection.frame_writer import EncodedFrame
from api.ws.connection.socket_limits import HEARTBEAT_S
from api.ws.connection.sockets import Socket
from api.ws.protocol.frames import write_frame
from api.ws.races.backend import Backend
from api.ws.races.presence import Presence
from api.ws.races.pushes import ChatPush, OwnRunPush, snapshot_frame
from api.ws.races.race_state import RaceUpdate, update_from_moves
from api.ws.races.watched_race import Frames, WatchedRace
from game.selectors.races.snapshots import KnownEvent, RaceVersion

log = structlog.get_logger(__name__)

# After this many sockets other tasks of the event loop get their turn.
SOCKETS_PER_TURN = 50
# How long to wait for the notification of an event that another one has overtaken.
OVERTAKEN_WAIT_S = 0.005


class Hub:
    """All races watched in this process. Belongs to one event loop."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.presence = Presence(backend)
        self.chat_push = ChatPush(backend)
        self.own_run_push = OwnRunPush(backend)
        self.races: dict[str, WatchedRace] = {}
        self._opening: dict[str, asyncio.Task[WatchedRace]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._entered = 0

    # --- Sockets enter and leave ------------------------------------------------

    async def enter(self, race_id: str, socket: Socket) -> WatchedRace:
        """Add a socket to a race; it is sent nothing before `join` or `resume`.

        Raises:
            Refusal: race.not_found.
        """
        while True:
            race = self.races.get(race_id) or await self._open(race_id)
            # Its last socket may have left while this one waited.
            if self.races.get(race_id) is race:
                break
        self._entered += 1
        socket.heartbeat_phase = self._entered % HEARTBEAT_S
        race.sockets.add(socket)
        return race

    async def _open(self, race_id: str) -> WatchedRace:
        task = self._opening.get(race_id)
        if task is None:
            task = asyncio.ensure_future(self._read_race(race_id))
            self._opening[race_id] = task
        return await asyncio.shield(task)

    async def _read_race(self, race_id: str) -> WatchedRace:
        try:
            heads = await database.read(lambda: self.backend.heads([race_id]))
            update = await database.read(
                lambda: self.backend.update(race_id, None, None)
            )
        finally:
            del self._opening[race_id]
        race = WatchedRace(race_id, update, self._on_due)
        race.last_message = heads[race_id].chat
        race.due_timer.set(race.state.due_at)
        self.races[race_id] = race
        return race

    def leave(self, race: WatchedRace, socket: Socket) -> None:
        """Remove a socket, and the race with its last socket."""
        race.sockets.discard(socket)
        account_id = socket.identity.account_id
        if account_id in race.noted_present:
            self.spawn(self.presence.note_gone(race, account_id))
        if not race.sockets and self.races.get(race.race_id) is race:
            del self.races[race.race_id]
            race.due_timer.cancel()

    # --- Hello, resume, resync --------------------------------------------------

    async def join(
        self, race: WatchedRace, socket: Socket, frame_id: str | None = None
    ) -> None:
        """Send a snapshot, and from now on the events after it."""
        socket.pending_reads += 1
        try:
            seq, frame = await snapshot_frame(self.backend, race, socket, frame_id)
            while seq < socket.sent_seq:  # another read has sent newer events meanwhile
                seq, frame = await snapshot_frame(self.backend, race, socket, frame_id)
        finally:
            socket.pending_reads -= 1
        socket.sent_seq, socket.has_joined = seq, True
        socket.write(frame)
        self._send_missing(race, socket)
        self._note_present(race, socket)

    async def resume(
        self,
        race: WatchedRace,
        socket: Socket,
        since: int,
        frame_id: str | None = None,
    ) -> None:
        """Send the events after `since`, or a snapshot if they are too many.

        No event is sent to a socket twice.
        """
        since = max(since, socket.sent_seq) if socket.has_joined else since
        if since <= race.last_seq and race.has_events_after(since):
            socket.sent_seq, socket.has_joined = since, True
            self._send_missing(race, socket)
        elif not await self._send_from_database(race, socket, since):
            await self.join(race, socket, frame_id)
            return
        socket.send("heartbeat", {"seq": socket.sent_seq}, frame_id)
        self._note_present(race, socket)

    def _note_present(self, race: WatchedRace, socket: Socket) -> None:
        account_id = socket.identity.account_id
        if race.is_entrant(account_id) and account_id not in race.noted_present:
            self.spawn(self.presence.note_new(race))

    def _send_missing(
        self, race: WatchedRace, socket: Socket, frames: Frames | None = None
    ) -> None:
        if not race.send_missing_events(socket, {} if frames is None else frames):
            self.spawn(self._catch_up(race, socket))

    async def _catch_up(self, race: WatchedRace, socket: Socket) -> None:
        if socket.pending_reads:
            return  # they send what is missing
        if not await self._send_from_database(race, socket, socket.sent_seq):
            await self.join(race, socket)

    async def _send_from_database(
        self, race: WatchedRace, socket: Socket, since: int
    ) -> bool:
        """Read and send the events after `since`; False if they are too many."""
        account_id = socket.identity.account_id
        socket.pending_reads += 1
        try:
            events = await database.read(
                lambda: self.backend.missed_events(race.race_id, since, account_id)
            )
        finally:
            socket.pending_reads -= 1
        if events is None:
            return False
        if not socket.has_joined:
            socket.sent_seq, socket.has_joined = since, True
        for event in events:
            if event["seq"] == socket.sent_seq + 1:
                socket.send_event(event)
        self._send_missing(race, socket)
        return True

    # --- New events ---------------------------------------------------------------

    def race_changed(
        self, race_id: str, seq: int, event: KnownEvent | None = None
    ) -> None:
        """The race's last event is `seq`: deliver what is new.

        `event` is that event, if the notification has brought it.
        """
        race = self.races.get(race_id)
        if race is None or seq <= race.last_seq:
            return
        if event is not None:
            race.announced_events[seq] = event
        race.announced_seq = max(race.announced_seq, seq)
        if not race.is_delivering and not self._deliver_now(race):
            race.is_delivering = True
            self.spawn(self._deliver(race))

    def _deliver_now(self, race: WatchedRace) -> bool:
        """Deliver without a task if few watch and no read is needed; whether all is."""
        if len(race.sockets) > SOCKETS_PER_TURN:
            return False
        update = update_from_moves(race.pop_announced_events(), race.state)
        if update is None:
            return False
        self._apply(race, update)
        frames: Frames = {}
        for socket in race.entrants_first():
            self._send_missing(race, socket, frames)
        sockets = self.own_run_push.sockets_to_update(race, update)
        if sockets:
            self.spawn(self.own_run_push.send(race, sockets))
        return race.announced_seq <= race.last_seq

    async def _deliver(self, race: WatchedRace) -> None:
        try:
            while race.announced_seq > race.last_seq and race.sockets:
                before = race.last_seq
                update = await self._next_update(race)
                self._apply(race, update)
                if race.last_seq == before:
                    break  # there is no such event; the sweep asks again
                await self._send_to_all(race)
                sockets = self.own_run_push.sockets_to_update(race, update)
                await self.own_run_push.send(race, sockets)
        finally:
            race.is_delivering = False
            race.announced_seq = race.last_seq

    async def _next_update(self, race: WatchedRace) -> RaceUpdate:
        """The next events: from notifications if they are moves, else by reading."""
        events = race.pop_announced_events()
        if not events:
            # The event before an announced one is probably on its way. If it has to be
            # read, waiting lets one read fetch several.
            await asyncio.sleep(OVERTAKEN_WAIT_S)
            events = race.pop_announced_events()
        update = update_from_moves(events, race.state)
        if update is not None:
            return update
        return await database.read(
            lambda: self.backend.update(race.race_id, race.last_seq, race.state)
        )

    def _apply(self, race: WatchedRace, update: RaceUpdate) -> None:
        entrants = race.state.seats.keys()
        race.apply(update)
        race.due_timer.set(race.state.due_at)
        if race.state.seats.keys() != entrants:
            self.spawn(self.presence.note_new(race))

    async def _send_to_all(self, race: WatchedRace) -> None:
        frames: Frames = {}
        for number, socket in enumerate(race.entrants_first(), 1):
            self._send_missing(race, socket, frames)
            if number % SOCKETS_PER_TURN == 0:
                await asyncio.sleep(0)

    def _on_due(self, race: WatchedRace) -> None:
        self.spawn(self._apply_due(race.race_id))

    async def _apply_due(self, race_id: str) -> None:
        await database.write_minor(lambda: self.backend.apply_due(race_id))
        heads = await database.read(lambda: self.backend.heads([race_id]))
        if race_id in heads:
            self.race_changed(race_id, heads[race_id].seq)

    # --- Each second --------------------------------------------------------------

    async def sweep(self) -> None:
        """Ask once for the last event of all races; deliver what was not announced."""
        if not self.races:
            return
        heads = await database.read(lambda: self.backend.heads(list(self.races)))
        for race_id, head in heads.items():
            self.race_changed(race_id, head.seq)
            race = self.races.get(race_id)
            if race is not None:
                self._sweep_race(race, head)

    def _sweep_race(self, race: WatchedRace, head: RaceVersion) -> None:
        for socket in list(race.sockets):
            if socket.sent_seq < race.last_seq:
                self._send_missing(race, socket)
        if head.chat > race.last_message:
            self.spawn(self.chat_push.send_new(race))
        race.state = race.state._replace(due_at=head.due_at)
        race.due_timer.check(head.due_at)

    async def send_heartbeats(self, second: int) -> None:
        """Send the heartbeat to the fifth of the sockets whose turn this second is."""
        phase = second % HEARTBEAT_S
        for race in list(self.races.values()):
            frame = EncodedFrame(write_frame("heartbeat", {"seq": race.last_seq}))
            sockets = [each for each in race.sockets if each.heartbeat_phase == phase]
            for number, socket in enumerate(sockets, 1):
                socket.write(frame)
                if number % SOCKETS_PER_TURN == 0:
                    await asyncio.sleep(0)

    def spectator_counts(self) -> dict[str, int]:
        """How many people watch each race here without taking part."""
        return {race.race_id: race.spectator_count() for race in self.races.values()}

    def sockets(self) -> Iterable[Socket]:
        """The sockets of all races."""
        return (socket for race in self.races.values() for socket in race.sockets)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task; a failure is logged, and the sweep tries again."""
        task = asyncio.ensure_future(self._log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _log_failure(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - the sweep tries again
            log.warning("hub_task_failed", error=repr(error))
