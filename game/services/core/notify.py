"""Tells whoever watches that a race has a new event. Best effort, after the commit.

Nothing depends on it: the sweep of the race heads finds what was not rung for. A web
process with sockets sets `bell`. Everywhere else (a worker, a web process that has none
yet) rings go out over Valkey, from a thread of their own: whoever rings waits for
nobody.
"""

import json
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from game.selectors.races.snapshots import KnownEvent

log = structlog.get_logger(__name__)

CHANNEL: Final = "scoundrel:doorbell"
# Seconds for company after the first ring, for Valkey to answer, and after a failure.
_COMPANY, _PATIENCE, _PAUSE = 0.01, 1.0, 1.0
# Rings that wait while Valkey is away: beyond that the sweeps must do.
_MOST = 10_000

# Called with (race id, seq, the event itself or None), in whatever thread committed. It
# must raise nothing and wait for nothing. The event is whole: for `event_for` alone.
bell: Callable[[str, int, KnownEvent | None], None] | None = None


def ring(race_id: str, seq: int, event: KnownEvent | None = None) -> None:
    """Say that the race has come to that number, by that event if it is at hand."""
    if bell is not None:
        bell(race_id, seq, event)
    elif settings.REDIS_URL:
        _post.put(race_id, seq)


def message(origin: str, rings: dict[str, int]) -> str:
    """What goes over the channel: the last number of each race, and who says so."""
    return json.dumps({"from": origin, "rings": rings}, separators=(",", ":"))


class _Post:
    """Sends rings, several in one message, from a thread that is made when needed."""

    def __init__(self) -> None:
        self._rings: queue.Queue[tuple[str, int]] = queue.Queue(_MOST)
        self._pid = 0
        self._lock = threading.Lock()

    def put(self, race_id: str, seq: int) -> None:
        """Have it sent."""
        with self._lock:
            if self._pid != os.getpid():  # never begun, or in the parent of a fork
                self._pid = os.getpid()
                self._rings = queue.Queue(_MOST)
                threading.Thread(target=self._send, daemon=True, name="rings").start()
            rings = self._rings
        try:
            rings.put_nowait((race_id, seq))
        except queue.Full:
            log.info("doorbell_full")

    def _send(self) -> None:
        rings = self._rings
        while True:
            race_id, seq = rings.get()
            found = {race_id: seq}
            time.sleep(_COMPANY)
            while not rings.empty():
                race_id, seq = rings.get()
                found[race_id] = max(seq, found.get(race_id, 0))
            try:
                _publish(message("", found))
            except redis.RedisError as error:
                log.info("doorbell_send_failed", error=repr(error))
                time.sleep(_PAUSE)


def _publish(text: str) -> None:
    client = _clients.get(settings.REDIS_URL)
    if client is None:
        client = _clients[settings.REDIS_URL] = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            retry=Retry(NoBackoff(), 1),  # once: its connection may have been idle
        )
    client.publish(CHANNEL, text)


_clients: dict[str, redis.Redis] = {}
_post = _Post()
