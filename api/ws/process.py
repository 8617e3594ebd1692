"""What a web process has once, on its loop: the hub, the lobby, the doorbell, a pulse.

Started by the first socket, because Daphne announces no start. Each second the pulse
sweeps, beats, looks again at who may stay, and closes who has nothing to say.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import structlog
from django.conf import settings

from api.daphne_internals import before_shutdown
from api.ws.connection import executor
from api.ws.connection.limits import HELLO_WITHIN_S
from api.ws.connection.socket_counts import RENEW_EVERY_S, Crowds
from api.ws.connection.sockets import SHUTTING_DOWN, Socket
from api.ws.connection.valkey import Valkey
from api.ws.lobby.lobby import Lobby
from api.ws.races.game_source import GameSource
from api.ws.races.hub import Hub
from api.ws.races.notifications import Doorbell
from api.ws.races.source import Source
from game.services.core import notify

log = structlog.get_logger(__name__)

FORBIDDEN = 4403
IDENTITY_EVERY_S = 2
PRESENCE_EVERY_S = 20
WATCHING_EVERY_S = 3


class Process:
    """The parts, wired together; `start` sets them going on the running loop."""

    def __init__(self, source: Source, valkey: Valkey | None) -> None:
        self.source = source
        self.hub = Hub(source)
        self.lobby = Lobby(source)
        self.doorbell = Doorbell(valkey, self.hub.rung) if valkey else None
        self._loop = asyncio.get_running_loop()
        self.crowds = Crowds(valkey)
        self._rings: deque[tuple[str, int, Any]] = deque()
        self._is_waking = False
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin the pulse and hear the doorbell."""
        notify.listener = self.ring_from_thread
        work = [self._pulse()]
        if self.doorbell is not None:
            work += [self.doorbell.hear(), self.doorbell.send()]
        self._tasks = [self._loop.create_task(each) for each in work]
        before_shutdown(self._say_goodbye)

    def _say_goodbye(self) -> None:
        for socket in list(self.sockets()):
            socket.end(SHUTTING_DOWN, "restart")

    def ring_from_thread(self, race_id: str, seq: int, event: Any = None) -> None:
        """The services' bell: a race has gone on; told from any thread."""
        self._rings.append((race_id, seq, event))
        # Rings of one moment wake the loop once. What is added after this was seen set
        # is there before `_ring_all` takes it back, and so is taken too.
        if not self._is_waking:
            self._is_waking = True
            self._loop.call_soon_threadsafe(self._ring_all)

    def _ring_all(self) -> None:
        self._is_waking = False
        while self._rings:
            race_id, seq, event = self._rings.popleft()
            self.hub.rung(race_id, seq, event)
            if self.doorbell is not None:
                self.doorbell.ring(race_id, seq)

    def sockets(self) -> Iterator[Socket]:
        """All sockets of this process."""
        yield from self.hub.sockets()
        yield from self.lobby.sockets

    # --- The pulse ----------------------------------------------------------------

    async def _pulse(self) -> None:
        """One step a second; a slow step delays the next, and is not made up for."""
        second = 0
        while True:
            started = self._loop.time()
            await self._step("sweep", self.hub.sweep)
            await self._step("beat", partial(self.hub.beat, second))
            await self._step("lobby", self.lobby.sweep)
            if second % IDENTITY_EVERY_S == 0:
                await self._step("identities", self._look_again)
            if second % PRESENCE_EVERY_S == 0:
                await self._step("presence", self._refresh)
            if second % RENEW_EVERY_S == 0:
                await self._step("crowds", self.crowds.renew)
            if second % WATCHING_EVERY_S == 0:
                await self._step("watching", self._tell_watching)
            self._close_idle()
            second += 1
            spent = self._loop.time() - started
            await asyncio.sleep(max(0.05, 1.0 - spent))

    async def _step(self, name: str, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - the next second tries again
            log.warning("pulse_step_failed", step=name, error=repr(error))

    async def _look_again(self) -> None:
        """Close the sockets of those who were signed out, banned or revoked."""
        sockets = list(self.sockets())
        if not sockets:
            return
        await self._look_at_standings(sockets)
        credentials = {each.identity.credential for each in sockets}
        good = await executor.read(lambda: self.source.still_good(credentials))
        for socket in sockets:
            who = socket.identity
            if good.get(who.credential) != who.stamp:
                socket.end(4401, "signed_out", retry_ms=None)

    async def _look_at_standings(self, sockets: list[Socket]) -> None:
        """Close the sockets of the banned; tell whose standing has changed."""
        accounts = {each.identity.account_id for each in sockets}
        now = await executor.read(lambda: self.source.standings(accounts))
        for socket in sockets:
            stands = now.get(socket.identity.account_id)
            if stands is None or stands.rev == socket.identity.standing_rev:
                continue
            socket.identity = socket.identity._replace(standing_rev=stands.rev)
            if stands.banned:
                socket.end(FORBIDDEN, "account.banned", retry_ms=None)
            else:
                socket.send("standing.changed", {"rev": stands.rev})

    async def _refresh(self) -> None:
        await self.hub.presence.refresh(list(self.hub.watches.values()))

    async def _tell_watching(self) -> None:
        counts = self.hub.spectators()
        await executor.note(lambda: self.source.watching(counts))

    def _close_idle(self) -> None:
        now = self._loop.time()
        for socket in list(self.sockets()):
            silent = now - socket.heard_at
            allowed = settings.WS_IDLE_S if socket.joined else HELLO_WITHIN_S
            if silent > allowed:
                socket.end(4408, "idle")


@lru_cache(maxsize=1)
def _processes() -> dict[asyncio.AbstractEventLoop, Process]:
    return {}


def process() -> Process:
    """The running loop's, started on first use."""
    loop = asyncio.get_running_loop()
    known = _processes()
    if loop not in known:
        known.clear()  # tests make one loop after the other
        # Without one there is no other process to tell.
        valkey = Valkey(settings.REDIS_URL) if settings.REDIS_URL else None
        known[loop] = Process(GameSource(), valkey)
        known[loop].start()
    return known[loop]
