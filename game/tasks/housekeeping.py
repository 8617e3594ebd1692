"""The periodic task that beat calls; see `game.services.maintenance.tick`."""

from celery import shared_task
from django.utils import timezone

from game.services.maintenance.tick import tick as do_what_is_due


@shared_task
def tick() -> dict[str, int]:
    """Do what is due now; what was done, by name, as counts."""
    return do_what_is_due(at=timezone.now())
