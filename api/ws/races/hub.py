"""The hub: one a process, it brings every race's events to the sockets that watch it.

A ring of the doorbell, or the sweep each second, tells that a race has gone on; the new
events are then read once, framed once for all who see them alike, and written to each
socket. The sweep alone is enough: rings only make it faster. Whoever is behind what is
kept here is served from the database. Knows sockets and a `Source`; no table, no
service, no channel layer, no clock.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

import structlog

from api.ws.connection import executor
from api.ws.connection.limits import HEARTBEAT_S
from api.ws.connection.sockets import Socket
from api.ws.connection.wire import Packet
from api.ws.protocol.frames import write_frame
from api.ws.races.alarms import Alarms
from api.ws.races.chat_push import Chatter
from api.ws.races.own_run_push import Onlooker
from api.ws.races.presence import Presence
from api.ws.races.snapshots import snapshot_frame
from api.ws.races.source import Head, News, Source
from api.ws.races.watch import Packets, Watch

log = structlog.get_logger(__name__)

# After so many sockets, others on the loop get their turn.
BATCH = 50
OVERTAKEN_S = 0.005


class Hub:
    """All races watched in this process. Lives on one event loop."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.alarms = Alarms(lambda watch: self.spawn(self._due(watch)))
        self.presence = Presence(source)
        self.chatter = Chatter(source)
        self.onlooker = Onlooker(source)
        self.watches: dict[str, Watch] = {}
        self._making: dict[str, asyncio.Task[Watch]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._joined = 0

    # --- Sockets come and go ----------------------------------------------------

    async def enter(self, race_id: str, socket: Socket) -> Watch:
        """Let a socket watch a race; it gets nothing before `join` or `resume`.

        Raises:
            Refusal: race.not_found.
        """
        while True:
            watch = self.watches.get(race_id) or await self._made(race_id)
            if self.watches.get(race_id) is watch:
                break
        self._joined += 1
        socket.phase = self._joined % HEARTBEAT_S
        watch.sockets.add(socket)
        return watch

    async def _made(self, race_id: str) -> Watch:
        making = self._making.get(race_id)
        if making is None:
            making = asyncio.ensure_future(self._make(race_id))
            self._making[race_id] = making
        return await asyncio.shield(making)

    async def _make(self, race_id: str) -> Watch:
        try:
            heads = await executor.read(lambda: self.source.heads([race_id]))
            news = await executor.read(lambda: self.source.news(race_id, None, None))
        finally:
            del self._making[race_id]
        watch = self.watches[race_id] = Watch(race_id, self.source, news)
        watch.chat = heads[race_id].chat
        self.alarms.set(watch)
        return watch

    def leave(self, watch: Watch, socket: Socket) -> None:
        """Forget a socket, and the race with the last of them."""
        watch.sockets.discard(socket)
        if socket.identity.account_id in watch.present:
            self.spawn(self.presence.go(watch, socket.identity.account_id))
        if not watch.sockets and self.watches.get(watch.race_id) is watch:
            del self.watches[watch.race_id]
            self.alarms.clear(watch)

    # --- Hello, resume, resync --------------------------------------------------

    async def join(
        self, watch: Watch, socket: Socket, frame_id: str | None = None
    ) -> None:
        """Send the race as it stands, then the events after that."""
        socket.holds += 1
        try:
            seq, frame = await snapshot_frame(watch, socket, frame_id)
            while seq < socket.sent:  # filled from elsewhere meanwhile
                seq, frame = await snapshot_frame(watch, socket, frame_id)
        finally:
            socket.holds -= 1
        socket.sent, socket.joined = seq, True
        socket.write(Packet(frame))
        self._bring_up(watch, socket)
        self._welcome(watch, socket)

    async def resume(
        self, watch: Watch, socket: Socket, since: int, frame_id: str | None = None
    ) -> None:
        """Send the events after `since`; the whole race where that cannot be.

        A socket that has them already is sent nothing twice.
        """
        since = max(since, socket.sent) if socket.joined else since
        if since <= watch.head and watch.knows_after(since):
            socket.sent, socket.joined = since, True
            self._bring_up(watch, socket)
        elif not await self._fill(watch, socket, since):
            await self.join(watch, socket, frame_id)
            return
        socket.send("heartbeat", {"seq": socket.sent}, frame_id)
        self._welcome(watch, socket)

    def _welcome(self, watch: Watch, socket: Socket) -> None:
        """Note that an entrant is here, if that is news."""
        account_id = socket.identity.account_id
        if watch.is_entrant(account_id) and account_id not in watch.present:
            self.spawn(self.presence.come(watch))

    async def _fill(self, watch: Watch, socket: Socket, since: int) -> bool:
        """Send what came after `since` from the database; False if that is too much."""
        who = socket.identity
        socket.holds += 1
        try:
            events = await executor.read(
                lambda: self.source.missed(watch.race_id, since, who.account_id)
            )
        finally:
            socket.holds -= 1
        if events is None:
            return False
        if not socket.joined:
            socket.sent, socket.joined = since, True
        for event in events:
            if event["seq"] == socket.sent + 1:
                socket.write_event(event)
        self._bring_up(watch, socket)
        return True

    def _bring_up(
        self, watch: Watch, socket: Socket, packets: Packets | None = None
    ) -> None:
        if not watch.bring_up(socket, {} if packets is None else packets):
            self.spawn(self._catch_up(watch, socket))

    async def _catch_up(self, watch: Watch, socket: Socket) -> None:
        if not socket.holds and not await self._fill(watch, socket, socket.sent):
            await self.join(watch, socket)

    # --- Events -----------------------------------------------------------------

    def rung(self, race_id: str, seq: int, row: Any = None) -> None:
        """The race has an event of that number: fetch and deliver, once at a time.

        `row` is the event itself where the doorbell has brought it.
        """
        watch = self.watches.get(race_id)
        if watch is None or seq <= watch.head:
            return
        if row is not None:
            watch.at_hand[seq] = row
        watch.wanted = max(watch.wanted, seq)
        if not watch.is_pumping and not self._at_once(watch):
            watch.is_pumping = True
            self.spawn(self._pump(watch))

    def _at_once(self, watch: Watch) -> bool:
        """Where few watch and the doorbell brought it all: deliver without a turn."""
        if len(watch.sockets) > BATCH:
            return False
        rows = watch.next_at_hand()
        news = self.source.told(rows, watch.news.picture) if rows else None
        if news is None:
            return False
        self._take(watch, news)
        packets: Packets = {}
        for socket in watch.in_order():
            self._bring_up(watch, socket, packets)
        blind = self.onlooker.blind(watch, news)
        if blind:
            self.spawn(self.onlooker.show(watch, blind))
        return watch.wanted <= watch.head

    async def _pump(self, watch: Watch) -> None:
        try:
            while watch.wanted > watch.head and watch.sockets:
                since = watch.head
                news = await self._next(watch)
                self._take(watch, news)
                if watch.head == since:
                    break  # rung for what is not there; the sweep knows better
                await self._deliver(watch)
                await self.onlooker.show(watch, self.onlooker.blind(watch, news))
        finally:
            watch.is_pumping = False
            watch.wanted = watch.head

    async def _next(self, watch: Watch) -> News:
        """What follows: from what the doorbell brought, else from the database."""
        rows = watch.next_at_hand()
        if not rows:
            # Where a later one came first, the one before it is on its way; and
            # what has to be read is most often not alone.
            await asyncio.sleep(OVERTAKEN_S)
            rows = watch.next_at_hand()
        news = self.source.told(rows, watch.news.picture) if rows else None
        if news is not None:
            return news
        return await executor.read(
            lambda: self.source.news(watch.race_id, watch.head, watch.news.picture)
        )

    def _take(self, watch: Watch, news: News) -> None:
        accounts = watch.news.accounts
        watch.take(news)
        self.alarms.set(watch)
        if news.accounts != accounts:
            self.spawn(self.presence.come(watch))

    async def _deliver(self, watch: Watch) -> None:
        packets: Packets = {}
        for turn, socket in enumerate(watch.in_order(), 1):
            self._bring_up(watch, socket, packets)
            if turn % BATCH == 0:
                await asyncio.sleep(0)

    async def _due(self, watch: Watch) -> None:
        await executor.note(lambda: self.source.due(watch.race_id))
        heads = await executor.read(lambda: self.source.heads([watch.race_id]))
        if watch.race_id in heads:
            self.rung(watch.race_id, heads[watch.race_id].seq)

    # --- The sweep --------------------------------------------------------------

    async def sweep(self) -> None:
        """Ask once for all races how far they are; fetch for those that are behind."""
        if not self.watches:
            return
        heads = await executor.read(lambda: self.source.heads(list(self.watches)))
        for race_id, head in heads.items():
            self.rung(race_id, head.seq)
            watch = self.watches.get(race_id)
            if watch is not None:
                self._look_after(watch, head)

    def _look_after(self, watch: Watch, head: Head) -> None:
        """What rings and timers may have missed of one race."""
        for socket in list(watch.sockets):
            if socket.sent < watch.head:
                self._bring_up(watch, socket)
        if head.chat > watch.chat:
            self.spawn(self.chatter.told(watch))
        self.alarms.hear(watch, head.due_at)

    async def beat(self, second: int) -> None:
        """Send the heartbeat to those whose second it is; each has one in five."""
        for watch in list(self.watches.values()):
            body = {"seq": watch.head}
            packet = Packet(write_frame("heartbeat", body))
            due = [s for s in watch.sockets if s.phase == second % HEARTBEAT_S]
            for turn, socket in enumerate(due, 1):
                socket.write(packet)
                if turn % BATCH == 0:
                    await asyncio.sleep(0)

    def spectators(self) -> dict[str, int]:
        """How many watch each race here, without taking part."""
        return {each.race_id: each.spectators() for each in self.watches.values()}

    def sockets(self) -> Iterable[Socket]:
        """All sockets on races."""
        return (each for watch in self.watches.values() for each in watch.sockets)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside; what goes wrong is logged, and the sweep repeats."""
        task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - the sweep does it again
            log.warning("hub_work_failed", error=repr(error))
