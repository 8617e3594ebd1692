"""The sockets' use of Valkey, on one event loop: publish, subscribe, run scripts.

No socket depends on it. Each call fails fast; the caller tries again later or works
without it.
"""

from collections.abc import AsyncIterator
from typing import Any

from game.services.core import valkey


class Valkey:
    """Connections of one event loop, opened when needed."""

    def __init__(self, url: str) -> None:
        self._subscriber = valkey.async_client(url, is_subscriber=True)
        self._client = valkey.async_client(url)
        self._pause = valkey.Pause()

    async def publish(self, channel: str, text: str) -> int:
        """Send a message to a channel; the number of its subscribers.

        Raises an exception of redis-py's if Valkey does not answer.
        """
        return int(await self._client.publish(channel, text))

    async def subscribe(self, channel: str) -> AsyncIterator[str]:
        """The messages of a channel, until the connection is lost.

        Raises an exception of redis-py's then.
        """
        async with self._subscriber.pubsub() as subscription:
            await subscription.subscribe(channel)
            async for message in subscription.listen():
                if message["type"] == "message":
                    yield message["data"].decode()

    async def run_script(self, script: str, keys: list[str], values: list[Any]) -> Any:
        """The answer of a Lua script.

        Raises:
            Unavailable: Valkey did not answer, now or less than PAUSE_S ago.
        """
        self._pause.check()
        try:
            return await self._client.eval(script, len(keys), *keys, *values)
        except Exception as error:
            raise self._pause.begin(error) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._subscriber.aclose()
        await self._client.aclose()
