"""Sends the list of open and live races to the sockets of the lobby when it changes.

The list is read and encoded once for all of them.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from api.ws.connection import database
from api.ws.connection.frame_writer import EncodedFrame
from api.ws.connection.socket_limits import HEARTBEAT_S
from api.ws.connection.sockets import Socket
from api.ws.protocol.frames import wall_clock, write_frame
from game.selectors.races.lobby import lobby_list, lobby_version
from game.selectors.races.schemas import LobbyRace
from game.services.races.spectators import spectator_counts

# After this many sockets other tasks of the event loop get their turn.
SOCKETS_PER_TURN = 50


class Lobby:
    """The lobby's sockets in this process. Belongs to one event loop."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self._version: Any = None
        self._races: list[LobbyRace] = []
        self._second = 0

    async def join(self, socket: Socket, frame_id: str | None) -> None:
        """Send the list to a socket, and from now on its changes."""
        # With other sockets here the list is at most a second old.
        if self._version is None or len(self.sockets) <= 1:
            await self._refresh()
        socket.has_joined = True
        socket.send("lobby.snapshot", {"races": self._races}, frame_id)

    async def sweep(self) -> None:
        """Called each second: send the list if it has changed, and heartbeats."""
        if not self.sockets:
            return
        if await self._refresh():
            await self._send_all("lobby.snapshot", {"races": self._races})
        self._second += 1
        if self._second % HEARTBEAT_S == 0:
            await self._send_all("heartbeat", {"seq": 0})

    async def _refresh(self) -> bool:
        """Read the list if its version is new; whether it has changed."""
        known = self._version
        self._version, races = await database.read(lambda: _read_lobby(known))
        if races is None or races == self._races:
            return False
        self._races = races
        return True

    async def _send_all(self, kind: str, body: Mapping[str, Any]) -> None:
        frame = EncodedFrame(write_frame(kind, body))
        for number, socket in enumerate(list(self.sockets), 1):
            if socket.has_joined:
                socket.write(frame)
            if number % SOCKETS_PER_TURN == 0:
                await asyncio.sleep(0)


def _read_lobby(known_version: Any) -> tuple[Any, list[LobbyRace] | None]:
    """The version of the list, and the list unless its version is the known one."""
    version = (lobby_version(), spectator_counts.version())
    if version == known_version:
        return version, None
    return version, lobby_list(wall_clock(), spectator_counts.count)
