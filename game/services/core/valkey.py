"""Clients of Valkey: one place for its address, its timeouts and its failures.

Only Celery depends on Valkey. Everything else works without it, though a part is slower
or less exact: a call fails fast, by `Unavailable`, and each caller states what it does
instead. After a failed script no other is sent for PAUSE_S, so that a Valkey which
hangs delays few requests.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    from redis.asyncio import Redis as AsyncRedis

log = structlog.get_logger(__name__)

TIMEOUT_S: Final = 0.25
PAUSE_S: Final = 2.0
# A connection that was idle may have been closed by the server: try once more.
_RETRIES = 1


class Unavailable(Exception):  # noqa: N818 - says what Valkey is
    """There is no Valkey, it did not answer, or it failed less than PAUSE_S ago."""


class Pause:
    """Whether Valkey is left alone because it has just failed."""

    def __init__(self) -> None:
        self._until = 0.0

    def check(self) -> None:
        """Raises Unavailable during a pause."""
        if time.monotonic() < self._until:
            raise Unavailable("paused after a failure")

    def begin(self, error: Exception) -> Unavailable:
        """Start a pause; the exception to raise for `error`."""
        self._until = time.monotonic() + PAUSE_S
        log.warning("valkey_unavailable", error=repr(error))
        return Unavailable(str(error))


def run_script(script: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
    """The answer of a Lua script.

    Raises:
        Unavailable: see there. The script may have run.
    """
    if not settings.REDIS_URL:
        raise Unavailable("REDIS_URL is not set")
    client, pause = _client(settings.REDIS_URL)
    pause.check()
    try:
        return client.eval(script, len(keys), *keys, *values)
    except redis.RedisError as error:
        raise pause.begin(error) from error


def publish(channel: str, text: str) -> None:
    """Send a message to all subscribers of a channel, also during a pause.

    Raises:
        Unavailable: there is no Valkey, or it did not answer.
    """
    if not settings.REDIS_URL:
        raise Unavailable("REDIS_URL is not set")
    client, _ = _client(settings.REDIS_URL)
    try:
        client.publish(channel, text)
    except redis.RedisError as error:
        raise Unavailable(str(error)) from error


@lru_cache(maxsize=4)  # tests have several addresses
def _client(url: str) -> tuple[redis.Redis, Pause]:
    # Its pool may be shared by threads, and makes new connections after a fork.
    client = redis.Redis.from_url(
        url,
        socket_timeout=TIMEOUT_S,
        socket_connect_timeout=TIMEOUT_S,
        retry=Retry(NoBackoff(), _RETRIES),
    )
    return client, Pause()


def async_client(
    url: str, *, timeout_s: float = TIMEOUT_S, is_subscriber: bool = False
) -> "AsyncRedis":
    """A new client for one event loop; the caller closes it.

    A subscriber waits for messages without a timeout (redis-py would end a connection
    that is silent for five seconds) and is not retried: its caller subscribes again.
    """
    # Importing them takes a quarter second, which workers and commands need not spend.
    from redis.asyncio import Redis as AsyncRedis  # noqa: PLC0415
    from redis.asyncio.retry import Retry as AsyncRetry  # noqa: PLC0415

    return AsyncRedis.from_url(
        url,
        socket_timeout=None if is_subscriber else timeout_s,
        socket_connect_timeout=1.0 if is_subscriber else timeout_s,
        retry=AsyncRetry(NoBackoff(), 0 if is_subscriber else _RETRIES),
    )
