"""The periodic task; see `game.services.maintenance.tick`."""

from celery import shared_task
from django.utils import timezone

from game.services.maintenance.tick import tick as run_tick


@shared_task
def tick() -> dict[str, int]:
    """Do what is due now; the number of things done, by job name."""
    return run_tick(at=timezone.now())
