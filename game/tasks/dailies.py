"""Choosing the dungeons of dailies: minutes of work, a little at a time."""

import threading
import time

from celery import shared_task
from django.utils import timezone

from game.services.dailies.publish import dailies_unchosen, daily_choose_step

# A task starts no further candidate after so long: one of them may take a while, and
# the worker has other things to do.
_START_WITHIN_S = 15.0
# One at a time in a process: the worker's other thread is for the tick.
_at_work = threading.Lock()


@shared_task(soft_time_limit=110, time_limit=115)
def choose() -> int:
    """Examine candidates for the nearest dailies without a dungeon; how many steps.

    Delivered twice, or cut off, it does no harm: a candidate is examined again.
    """
    if not _at_work.acquire(blocking=False):
        return 0
    try:
        return _choose()
    finally:
        _at_work.release()


def _choose() -> int:
    started, steps = time.monotonic(), 0
    for daily_id in dailies_unchosen(at=timezone.now()):
        while time.monotonic() - started < _START_WITHIN_S:
            steps += 1
            if daily_choose_step(daily_id, at=timezone.now()):
                break
        else:
            return steps
    return steps
