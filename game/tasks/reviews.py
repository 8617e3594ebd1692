"""Reviews and solutions: seconds of work each, one at a time in a process."""

import threading
import time

import structlog
from celery import shared_task
from django.utils import timezone

from game.models import Study
from game.services.analysis.job_queue import Superseded, study_fail, study_take
from game.services.analysis.job_worker import study_work

log = structlog.get_logger(__name__)

# Takes up no further study after so long; the next call comes within a second.
_START_WITHIN_S = 20.0
# The worker's other threads are for the tick, the races and the dailies.
_at_work = threading.Lock()


@shared_task(soft_time_limit=110, time_limit=115)
def answer() -> int:
    """Answer what is asked of the analysis, the oldest first; how many studies.

    Delivered twice, or cut off, it does no harm: see services/studies.
    """
    if not _at_work.acquire(blocking=False):
        return 0
    try:
        return _answer()
    finally:
        _at_work.release()


def _answer() -> int:
    started, answered = time.monotonic(), 0
    while time.monotonic() - started < _START_WITHIN_S:
        study = study_take(at=timezone.now())
        if study is None:
            break
        answered += _work(study)
    return answered


def _work(study: Study) -> int:
    try:
        study_work(study, at=timezone.now())
    except Superseded:
        return 0
    # Whoever asked is told that it failed; the log says why.
    except Exception:
        log.exception("study_failed", study=study.pk, kind=study.kind)
        try:
            study_fail(study)
        except Superseded:
            return 0
    return 1
