"""Computes reviews and solutions, one at a time in each process."""

import threading
import time

import structlog
from celery import shared_task
from django.utils import timezone

from game.models import Study
from game.services.analysis.job_queue import Superseded, study_fail, study_take
from game.services.analysis.job_worker import study_compute

log = structlog.get_logger(__name__)

# After this long, no further study is taken; the next call comes within a second.
_START_WITHIN_S = 20.0
# One call at a time; the worker's other threads run the tick, races and dailies.
_lock = threading.Lock()


@shared_task(soft_time_limit=110, time_limit=115)
def compute_studies() -> int:
    """Compute the queued studies, the oldest first; how many.

    It does no harm to run this twice or to stop it: see `job_queue`.
    """
    if not _lock.acquire(blocking=False):
        return 0
    try:
        return _compute_studies()
    finally:
        _lock.release()


def _compute_studies() -> int:
    started, count = time.monotonic(), 0
    while time.monotonic() - started < _START_WITHIN_S:
        study = study_take(at=timezone.now())
        if study is None:
            break
        count += _compute_study(study)
    return count


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
