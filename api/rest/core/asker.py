"""Whom a request without an own limit counts for: its account, else its network."""

from django.utils import timezone
from rest_framework.request import Request

from api.rest.core.client_address import client_network
from game.services.core.throttles import Limit, throttle


def count_by_asker(limit: Limit, request: Request) -> None:
    """Count a request against the account or network address. Raises throttled."""
    throttle(limit, request.user.pk or client_network(request), at=timezone.now())
