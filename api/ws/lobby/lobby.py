"""The lobby's sockets: the list of open and live races, sent whenever it has changed.

The list is read once for all and framed once.
"""

import asyncio
from typing import Any

from api.ws.connection import executor
from api.ws.connection.sockets import Socket
from api.ws.connection.wire import Packet
from api.ws.protocol.frames import write_frame
from api.ws.races.source import Source

BATCH = 50
EVERY_BEAT = 5


class Lobby:
    """Everybody who looks at the list of races."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.sockets: set[Socket] = set()
        self._mark: Any = None
        self._races: list[dict[str, Any]] = []
        self._second = 0

    async def join(self, socket: Socket, frame_id: str | None) -> None:
        """Send the list, and from now on its changes."""
        if self._mark is None or len(self.sockets) <= 1:
            await self._look()
        socket.joined = True
        socket.send("lobby.snapshot", {"races": self._races}, frame_id)

    async def sweep(self) -> None:
        """Look once; where the list has changed, send it to all. Heartbeats too."""
        if not self.sockets:
            return
        if await self._look():
            await self._send_all("lobby.snapshot", {"races": self._races})
        self._second += 1
        if self._second % EVERY_BEAT == 0:
            await self._send_all("heartbeat", {"seq": 0})

    async def _look(self) -> bool:
        known = self._mark
        mark, races = await executor.read(lambda: self.source.lobby(known))
        self._mark = mark
        if races is None or races == self._races:
            return False
        self._races = races
        return True

    async def _send_all(self, kind: str, body: dict[str, Any]) -> None:
        packet = Packet(write_frame(kind, body))
        for turn, socket in enumerate(list(self.sockets), 1):
            if socket.joined:
                socket.write(packet)
            if turn % BATCH == 0:
                await asyncio.sleep(0)
