"""Notifications about races between processes, over one channel of Valkey.

Each web process subscribes once, however many sockets it has. Notifications of the same
moment are sent as one message. Correctness does not depend on them (the hub sweeps), so
a failure is only logged and tried again.
"""

import asyncio
import json
import secrets
from collections.abc import Callable

import structlog

from api.ws.connection.valkey import Valkey
from game.services.core.notify import CHANNEL, encode_notices

log = structlog.get_logger(__name__)

# After a message the next notifications are collected for this long: if other processes
# subscribe, and if none does.
BATCH_WINDOW_S = 0.02
BATCH_WINDOW_ALONE_S = 0.25
RETRY_AFTER_S = 0.3


class Notifications:
    """Publishes this process's notifications and receives those of the others.

    Calls `on_change(race_id, seq)` for each one received. Belongs to one event loop.
    """

    def __init__(self, valkey: Valkey, on_change: Callable[[str, int], None]) -> None:
        self._valkey = valkey
        self._on_change = on_change
        self._origin = secrets.token_hex(8)
        self._pending: dict[str, int] = {}
        self._has_pending = asyncio.Event()

    def announce(self, race_id: str, seq: int) -> None:
        """Tell the other processes that a race's last event is `seq`."""
        if seq > self._pending.get(race_id, 0):
            self._pending[race_id] = seq
            self._has_pending.set()

    async def publish_forever(self) -> None:
        """Publish what is announced. Never returns."""
        while True:
            await self._has_pending.wait()
            self._has_pending.clear()
            pending, self._pending = self._pending, {}
            subscribers = 0
            try:
                subscribers = await self._valkey.publish(
                    CHANNEL, encode_notices(self._origin, pending)
                )
            except Exception as error:  # noqa: BLE001 - of redis-py or of the network
                log.info("notify_publish_failed", error=repr(error))
                await asyncio.sleep(RETRY_AFTER_S)
            await asyncio.sleep(
                BATCH_WINDOW_S if subscribers > 1 else BATCH_WINDOW_ALONE_S
            )

    async def receive_forever(self) -> None:
        """Receive notifications; subscribes again after a failure. Never returns."""
        while True:
            try:
                async for text in self._valkey.subscribe(CHANNEL):
                    self._receive(text)
            except Exception as error:  # noqa: BLE001 - of redis-py or of the network
                log.info("notify_subscription_lost", error=repr(error))
            await asyncio.sleep(RETRY_AFTER_S)

    def _receive(self, text: str) -> None:
        message = json.loads(text)
        if message["from"] != self._origin:
            for race_id, seq in message["rings"].items():
                self._on_change(race_id, seq)
