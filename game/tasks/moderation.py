"""Automatic detection: screens one run a minute, checks rated results hourly."""

import structlog
from celery import shared_task
from django.utils import timezone

from game.models import Study
from game.services.moderation.collusion import collusion_check
from game.services.moderation.screenings import run_screen, screening_next

log = structlog.get_logger(__name__)


@shared_task(soft_time_limit=110, time_limit=115)
def screen_run() -> int:
    """Screen the next run, if one is due and nobody waits for a review; how many.

    Seconds of work. Delivered twice, the same run is screened to the same result.
    """
    if Study.objects.filter(status=Study.Status.QUEUED).exists():
        return 0
    now = timezone.now()
    run = screening_next(at=now)
    if run is None:
        return 0
    summary = run_screen(run, at=now)
    log.info("run_screened", run=run.id, deviations=round(summary.deviations, 2))
    return 1


@shared_task
def check_pairs() -> int:
    """Flag players whose opponents seem to lose on purpose; how many flags."""
    return collusion_check(at=timezone.now())
