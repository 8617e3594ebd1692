"""Computes reviews, solutions and hints: in each process one review, and beside it one
solution or hint, for which a player waits at the table.
"""

import threading
import time
from collections.abc import Sequence

import structlog
from celery import shared_task
from django.utils import timezone

from game.models import Study
from game.services.analysis.job_queue import SHORT, Superseded, study_fail, study_take
from game.services.analysis.job_worker import study_compute

log = structlog.get_logger(__name__)

# After this long, no further study is taken; the next call comes within a second.
_START_WITHIN_S = 20.0
# One call of each task at a time; the worker's other threads run the tick, races and
# dailies.
_lock = threading.Lock()
_short_lock = threading.Lock()


@shared_task(soft_time_limit=110, time_limit=115)
def compute_studies() -> int:
    """Compute the queued studies, the oldest first; how many.

    It does no harm to run this twice or to stop it: see `job_queue`.
    """
    return _compute_queued(_lock, Study.Kind.values)


@shared_task(soft_time_limit=50, time_limit=55)
def compute_short_studies() -> int:
    """Compute the queued solutions and hints, without waiting for reviews; how many."""
    return _compute_queued(_short_lock, SHORT)


def _compute_queued(lock: threading.Lock, kinds: Sequence[str]) -> int:
    if not lock.acquire(blocking=False):
        return 0
    try:
        started, count = time.monotonic(), 0
        while time.monotonic() - started < _START_WITHIN_S:
            study = study_take(at=timezone.now(), kinds=kinds)
            if study is None:
                break
            count += _compute_study(study)
        return count
    finally:
        lock.release()


def _compute_study(study: Study) -> int:
    try:
        study_compute(study, at=timezone.now())
    except Superseded:
        return 0
    except Exception:
        log.exception("study_failed", study=study.pk, kind=study.kind)
        try:
            study_fail(study)
        except Superseded:
            return 0
    return 1
