"""What a web process has once on its event loop: hub, lobby, notifications, timers.

Started by the first socket, because Daphne has no start-up event. Each second it
delivers what notifications have missed, sends heartbeats, and closes sockets that are
idle or whose credential is no longer valid.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import structlog
from django.conf import settings

from api.daphne_internals import before_shutdown
from api.ws.connection import database
from api.ws.connection.identity import account_standings, valid_credentials
from api.ws.connection.socket_counts import RENEW_EVERY_S, SharedCounts
from api.ws.connection.socket_limits import HELLO_TIMEOUT_S
from api.ws.connection.sockets import Socket
from api.ws.connection.valkey import Valkey
from api.ws.lobby import Lobby
from api.ws.protocol import close_codes
from api.ws.races.backend import Backend
from api.ws.races.hub import Hub
from api.ws.races.notifications import Notifications
from game.selectors.races.snapshots import KnownEvent
from game.services.core import notify

log = structlog.get_logger(__name__)

CHECK_IDENTITIES_EVERY_S = 2
REFRESH_PRESENCE_EVERY_S = 20
REPORT_SPECTATORS_EVERY_S = 3


class Process:
    """The parts of a web process; `start` runs them on the current event loop."""

    def __init__(self, backend: Backend, valkey: Valkey | None) -> None:
        self.backend = backend
        self.hub = Hub(backend)
        self.lobby = Lobby()
        self.socket_counts = SharedCounts(valkey)
        self.notifications = (
            Notifications(valkey, self.hub.race_changed) if valkey else None
        )
        self._loop = asyncio.get_running_loop()
        self._changes: deque[tuple[str, int, KnownEvent | None]] = deque()
        self._is_wake_up_scheduled = False
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the tasks and listen to the services' notifications."""
        notify.listener = self.race_changed
        work = [self._run_each_second()]
        if self.notifications is not None:
            work.append(self.notifications.receive_forever())
            work.append(self.notifications.publish_forever())
        self._tasks = [self._loop.create_task(each) for each in work]
        before_shutdown(self._close_all)

    def _close_all(self) -> None:
        for socket in list(self.sockets()):
            socket.close(close_codes.RESTARTING, "restart")

    def race_changed(
        self, race_id: str, seq: int, event: KnownEvent | None = None
    ) -> None:
        """Tell the hub and the other processes. May be called in any thread."""
        self._changes.append((race_id, seq, event))
        # Changes of one moment wake the loop once. One that is appended after another
        # thread has read True here comes before `_deliver_changes` resets it, and so
        # is delivered by it.
        if not self._is_wake_up_scheduled:
            self._is_wake_up_scheduled = True
            self._loop.call_soon_threadsafe(self._deliver_changes)

    def _deliver_changes(self) -> None:
        self._is_wake_up_scheduled = False
        while self._changes:
            race_id, seq, event = self._changes.popleft()
            self.hub.race_changed(race_id, seq, event)
            if self.notifications is not None:
                self.notifications.announce(race_id, seq)

    def sockets(self) -> Iterator[Socket]:
        """All sockets of this process."""
        yield from self.hub.sockets()
        yield from self.lobby.sockets

    # --- Each second --------------------------------------------------------------

    async def _run_each_second(self) -> None:
        """One round a second; after a slow round the next one starts later."""
        second = 0
        while True:
            started = self._loop.time()
            for name, interval_s, step in (
                ("sweep", 1, self.hub.sweep),
                ("heartbeats", 1, partial(self.hub.send_heartbeats, second)),
                ("lobby", 1, self.lobby.sweep),
                ("identities", CHECK_IDENTITIES_EVERY_S, self._check_identities),
                ("presence", REFRESH_PRESENCE_EVERY_S, self._refresh_presence),
                ("socket_counts", RENEW_EVERY_S, self.socket_counts.renew),
                ("spectators", REPORT_SPECTATORS_EVERY_S, self._report_spectators),
            ):
                if second % interval_s == 0:
                    await self._run_step(name, step)
            self._close_idle()
            second += 1
            spent_s = self._loop.time() - started
            await asyncio.sleep(max(0.05, 1.0 - spent_s))

    async def _run_step(self, name: str, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log.warning("process_step_failed", step=name, error=repr(error))

    async def _check_identities(self) -> None:
        """Close sockets of ended sessions, of ended tokens and of banned accounts."""
        sockets = list(self.sockets())
        if not sockets:
            return
        await self._check_standings(sockets)
        credentials = {socket.identity.credential for socket in sockets}
        valid = await database.read(lambda: valid_credentials(credentials, at=_now()))
        for socket in sockets:
            identity = socket.identity
            if valid.get(identity.credential) != identity.stamp:
                socket.close(
                    close_codes.NOT_SIGNED_IN, "signed_out", retry_after_ms=None
                )

    async def _check_standings(self, sockets: list[Socket]) -> None:
        """Close the sockets of banned accounts; tell others of a moderation act."""
        accounts = {socket.identity.account_id for socket in sockets}
        standings = await database.read(lambda: account_standings(accounts, at=_now()))
        for socket in sockets:
            standing = standings.get(socket.identity.account_id)
            if standing is None or standing.rev == socket.identity.standing_rev:
                continue
            socket.identity = socket.identity._replace(standing_rev=standing.rev)
            if standing.is_banned:
                socket.close(
                    close_codes.FORBIDDEN, "account.banned", retry_after_ms=None
                )
            else:
                socket.send("standing.changed", {"rev": standing.rev})

    async def _refresh_presence(self) -> None:
        await self.hub.presence.refresh(list(self.hub.races.values()))

    async def _report_spectators(self) -> None:
        counts = self.hub.spectator_counts()
        await database.write_minor(lambda: self.backend.report_spectators(counts))

    def _close_idle(self) -> None:
        now = self._loop.time()
        for socket in list(self.sockets()):
            timeout_s = settings.WS_IDLE_S if socket.has_joined else HELLO_TIMEOUT_S
            if now - socket.last_received_at > timeout_s:
                socket.close(close_codes.IDLE, "idle")


def _now() -> datetime:
    return datetime.now(UTC)


_processes: dict[asyncio.AbstractEventLoop, Process] = {}


def current_process() -> Process:
    """The process of the running event loop; starts it on first use."""
    loop = asyncio.get_running_loop()
    if loop not in _processes:
        _processes.clear()  # tests use one event loop after the other
        # Without Valkey this is the only web process.
        valkey = Valkey(settings.REDIS_URL) if settings.REDIS_URL else None
        _processes[loop] = Process(Backend(), valkey)
        _processes[loop].start()
    return _processes[loop]
