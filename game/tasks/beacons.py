"""Fetches the public random values that dailies name, from the operator's address."""

import json

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from game.rules import Refusal
from game.services.core.outgoing import OutgoingError, outgoing_get
from game.services.dailies.beacons import (
    beacon_network,
    beacon_round_store,
    beacon_rounds_due,
)

log = structlog.get_logger(__name__)


@shared_task(soft_time_limit=40, time_limit=50)
def fetch() -> int:
    """Fetch, verify and store the rounds that are due; how many.

    A failure is logged, and the next call tries again. Delivered twice, it stores the
    same values.
    """
    if not settings.BEACON_URL.startswith("http"):
        return 0
    stored = 0
    for number in beacon_rounds_due(at=timezone.now()):
        url = f"{settings.BEACON_URL}/{beacon_network().chain}/public/{number}"
        try:
            signature = str(json.loads(outgoing_get(url))["signature"])
            stored += beacon_round_store(
                number=number, signature=signature, at=timezone.now()
            )
        except (OutgoingError, Refusal, ValueError, KeyError, TypeError) as error:
            log.warning("beacon_fetch_failed", round=number, error=str(error)[:200])
    return stored
