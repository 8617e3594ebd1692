"""The periodic task, and an hourly check of the site's configuration."""

from celery import shared_task
from django.utils import timezone

from game.services.accounts.monitoring import accounts_log_troubles
from game.services.maintenance.tick import tick as run_tick


@shared_task
def tick() -> dict[str, int]:
    """Do what is due now; the number of things done, by job name."""
    return run_tick(at=timezone.now())


@shared_task
def check_addresses() -> int:
    """Log an error if the players' addresses are not known; how many errors."""
    return accounts_log_troubles(at=timezone.now())
