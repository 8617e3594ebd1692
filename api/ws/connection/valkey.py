"""This process's way to Valkey: a channel to speak and hear on, and short questions.

Nothing on a socket depends on it. Whatever it is used for fails fast, by an exception
of redis's, and is tried again or done without. No retrying here: that would be waiting.
"""

from collections.abc import AsyncIterator
from typing import Any

import redis.asyncio as valkey
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

PATIENCE_S = 0.25
CONNECT_S = 1.0


class Valkey:
    """Connections of one event loop, opened when needed."""

    def __init__(self, url: str) -> None:
        once = Retry(NoBackoff(), 0)
        # A subscription is idle for as long as nothing happens: no timeout of reading.
        self._hearing = valkey.Redis.from_url(
            url, socket_timeout=None, socket_connect_timeout=CONNECT_S, retry=once
        )
        self._asking = valkey.Redis.from_url(
            url,
            socket_timeout=PATIENCE_S,
            socket_connect_timeout=PATIENCE_S,
            retry=Retry(NoBackoff(), 1),  # once: the connection may have been idle
        )

    async def publish(self, channel: str, text: str) -> int:
        """Say something to all who hear the channel; how many that are."""
        return int(await self._asking.publish(channel, text))

    async def hear(self, channel: str) -> AsyncIterator[str]:
        """What is said, until the connection is lost."""
        async with self._hearing.pubsub() as heard:
            await heard.subscribe(channel)
            async for said in heard.listen():
                if said["type"] == "message":
                    yield said["data"].decode()

    async def script(self, text: str, keys: list[str], values: list[Any]) -> Any:
        """The answer of a script."""
        return await self._asking.eval(text, len(keys), *keys, *values)

    async def close(self) -> None:
        """Let the connections go."""
        await self._hearing.aclose()
        await self._asking.aclose()
