"""The doorbell on the wire: rings between processes, over one channel of Valkey.

Each web process hears it once, whatever the number of its sockets. Rings of the same
moment are sent as one message. Nothing here is needed for correctness (the hub sweeps),
so whatever fails is tried again later, and nobody waits for it.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Protocol

import structlog

from game.services.core.notify import CHANNEL, encode_notices

log = structlog.get_logger(__name__)

QUIET_S = 0.02  # rings after the first wait so long for company
ALONE_S = 0.25  # and so long where nobody else hears them
AGAIN_S = 0.3


class Line(Protocol):
    """Where rings go out and come in; `api.ws.connection.valkey` is the real one."""

    async def publish(self, channel: str, text: str) -> int:
        """Say something to all who hear the channel; how many that are."""

    def subscribe(self, channel: str) -> AsyncIterator[str]:
        """What is said, until the connection is lost."""


class Doorbell:
    """Sends this process's rings and hears those of the others."""

    def __init__(self, line: Line, on_ring: Callable[[str, int], None]) -> None:
        self._line = line
        self._on_ring = on_ring
        self._origin = secrets.token_hex(8)
        self._rings: dict[str, int] = {}
        self._rung = asyncio.Event()

    def ring(self, race_id: str, seq: int) -> None:
        """Tell the other processes; on this loop only."""
        if seq > self._rings.get(race_id, 0):
            self._rings[race_id] = seq
            self._rung.set()

    async def send(self) -> None:
        """Send what is rung, for ever."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            rings, self._rings = self._rings, {}
            ears = 0
            try:
                ears = await self._line.publish(
                    CHANNEL, encode_notices(self._origin, rings)
                )
            except Exception as error:  # noqa: BLE001 - the line's, of any kind
                log.info("notify_publish_failed", error=repr(error))
                await asyncio.sleep(AGAIN_S)
            await asyncio.sleep(QUIET_S if ears > 1 else ALONE_S)

    async def hear(self) -> None:
        """Hear the others, for ever; a lost line is taken up again."""
        while True:
            try:
                async for text in self._line.subscribe(CHANNEL):
                    self._heard(text)
            except Exception as error:  # noqa: BLE001 - the line's, of any kind
                log.info("notify_subscription_lost", error=repr(error))
            await asyncio.sleep(AGAIN_S)

    def _heard(self, text: str) -> None:
        said = json.loads(text)
        if said["from"] != self._origin:
            for race_id, seq in said["rings"].items():
                self._on_ring(race_id, seq)
