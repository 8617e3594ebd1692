"""Who sends a request: the account, or without one the network."""

from django.utils import timezone
from rest_framework.request import Request

from api.rest.core.client_address import client_network
from game.models import Account
from game.services.analysis.reviews import requester_of
from game.services.core.throttles import Limit, throttle


def count_by_requester(limit: Limit, request: Request) -> None:
    """Count a request against the account or network address. Raises throttled."""
    throttle(limit, request.user.pk or client_network(request), at=timezone.now())


def requester(request: Request) -> str:
    """Whose turn in the queue of analyses the request takes, see `requester_of`."""
    account = request.user if isinstance(request.user, Account) else None
    return requester_of(account, client_network(request))
