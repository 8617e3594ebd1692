"""The doorbell on the wire: rings between processes, over one channel of the layer.

Each web process has one subscription, whatever the number of its sockets. Rings of the
same moment are sent as one message. Nothing here is needed for correctness (the hub
sweeps), so whatever fails is tried again later, and nobody waits for it.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Any

import structlog

log = structlog.get_logger(__name__)

GROUP = "doorbell"
KIND = "race.rung"
QUIET_S = 0.02  # rings after the first wait so long for company
GIVE_UP_S = 2.0
AGAIN_S = 1.0


class Doorbell:
    """Sends this process's rings and hears those of the others."""

    def __init__(self, layer: Any, on_ring: Callable[[str, int], None]) -> None:
        self._layer = layer
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
            message = {"type": KIND, "from": self._origin, "rings": rings}
            try:
                async with asyncio.timeout(GIVE_UP_S):
                    await self._layer.group_send(GROUP, message)
            except Exception as error:  # noqa: BLE001 - the layer's, of any kind
                log.info("doorbell_send_failed", error=repr(error))
                await asyncio.sleep(AGAIN_S)
            await asyncio.sleep(QUIET_S)

    async def hear(self) -> None:
        """Hear the others, for ever; a lost layer is joined again."""
        while True:
            try:
                await self._hear_until_lost()
            except Exception as error:  # noqa: BLE001 - the layer's, of any kind
                log.info("doorbell_lost", error=repr(error))
            with contextlib.suppress(Exception):
                async with asyncio.timeout(GIVE_UP_S):
                    await self._layer.flush()
            await asyncio.sleep(AGAIN_S)

    async def _hear_until_lost(self) -> None:
        async with asyncio.timeout(GIVE_UP_S):
            channel = await self._layer.new_channel()
            await self._layer.group_add(GROUP, channel)
        while True:
            message = await self._layer.receive(channel)
            if message.get("type") == KIND and message.get("from") != self._origin:
                for race_id, seq in message.get("rings", {}).items():
                    self._on_ring(race_id, seq)
