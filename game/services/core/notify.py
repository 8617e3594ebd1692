"""Notifies web processes that a race has a new event; best effort, after the commit.

Correctness does not depend on it: each web process also polls the latest event number
of the races it serves, once a second. A web process with open sockets sets `listener`
and is called directly. Any other process (a worker, a web process without sockets)
publishes over Valkey from a background thread, so the caller never waits.
"""

import json
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

import structlog
from django.conf import settings

from game.selectors.races.snapshots import KnownEvent
from game.services.core import valkey

log = structlog.get_logger(__name__)

CHANNEL: Final = "scoundrel:race_changed"
# How long the publisher collects notices before it sends them as one message.
_BATCH_WINDOW_S = 0.01
_PAUSE_AFTER_FAILURE_S = 1.0
# Notices kept while Valkey is away; further ones are dropped.
_MAX_QUEUED = 10_000

# Called in the committing thread with (race id, seq, event or None). It must not raise
# or block. The event is unredacted: show it only through `event_show`.
listener: Callable[[str, int, KnownEvent | None], None] | None = None


def race_changed(race_id: str, seq: int, event: KnownEvent | None = None) -> None:
    """Announce that a race's latest event number is now `seq`.

    `event` is that event, where the caller has it, so that listeners need not read it.
    """
    if listener is not None:
        listener(race_id, seq, event)
    elif settings.REDIS_URL:
        _publisher.put(race_id, seq)


def encode_notices(origin: str, seqs: dict[str, int]) -> str:
    """The channel's message: the latest event number of each race, and the sender.

    `origin` lets a process skip its own messages.
    """
    return json.dumps({"from": origin, "rings": seqs}, separators=(",", ":"))


class _Publisher:
    """Publishes notices in batches, from a thread that starts with the first one."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[str, int]] = queue.Queue(_MAX_QUEUED)
        self._pid = 0
        self._lock = threading.Lock()

    def put(self, race_id: str, seq: int) -> None:
        """Queue a notice."""
        with self._lock:
            # Not started yet, or started in the parent process before a fork.
            if self._pid != os.getpid():
                self._pid = os.getpid()
                self._queue = queue.Queue(_MAX_QUEUED)
                threading.Thread(target=self._run, daemon=True, name="notify").start()
            waiting = self._queue
        try:
            waiting.put_nowait((race_id, seq))
        except queue.Full:
            log.info("notify_queue_full")

    def _run(self) -> None:
        waiting = self._queue
        while True:
            race_id, seq = waiting.get()
            seqs = {race_id: seq}
            time.sleep(_BATCH_WINDOW_S)
            while not waiting.empty():
                race_id, seq = waiting.get()
                seqs[race_id] = max(seq, seqs.get(race_id, 0))
            try:
                valkey.publish(CHANNEL, encode_notices("", seqs))
            except valkey.Unavailable as error:
                log.info("notify_publish_failed", error=repr(error))
                time.sleep(_PAUSE_AFTER_FAILURE_S)


_publisher = _Publisher()
