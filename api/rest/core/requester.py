"""Counts requests by who sends them: the account, or without one the network."""

from django.utils import timezone
from rest_framework.request import Request

from api.rest.core.client_address import client_network
from game.services.core.throttles import Limit, throttle


def count_by_requester(limit: Limit, request: Request) -> None:
    """Count a request against the account or network address. Raises throttled."""
    throttle(limit, request.user.pk or client_network(request), at=timezone.now())
