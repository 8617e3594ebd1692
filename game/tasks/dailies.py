"""Chooses the dungeons of dailies in short steps; the whole takes minutes."""

import threading
import time

from celery import shared_task
from django.utils import timezone

from game.services.dailies.publish import dailies_to_choose, daily_choose_step

# After this long, no further candidate is started: each takes many seconds, and the
# worker has other tasks.
_START_WITHIN_S = 15.0
# One call at a time in each process; the worker's other threads run other tasks.
_lock = threading.Lock()


@shared_task(soft_time_limit=110, time_limit=115)
def choose_dungeons() -> int:
    """Assess candidates of the next dailies without a dungeon; how many.

    It does no harm to run this twice or to stop it: a candidate is assessed again.
    """
    if not _lock.acquire(blocking=False):
        return 0
    try:
        return _choose_dungeons()
    finally:
        _lock.release()


def _choose_dungeons() -> int:
    started, steps = time.monotonic(), 0
    for daily_id in dailies_to_choose(at=timezone.now()):
        while time.monotonic() - started < _START_WITHIN_S:
            steps += 1
            if daily_choose_step(daily_id, at=timezone.now()):
                break
        else:
            return steps
    return steps
