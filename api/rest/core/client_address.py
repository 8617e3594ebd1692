"""The address that a request comes from."""

from django.conf import settings
from django.http import HttpRequest

from game.contest.networks import address_of_client, network_of


def client_address(request: HttpRequest) -> str:
    """The client's address, see `address_of_client`."""
    return address_of_client(
        peer=request.META.get("REMOTE_ADDR") or "",
        server=request.META.get("SERVER_NAME", ""),
        forwarded_for=request.META.get("HTTP_X_FORWARDED_FOR", ""),
        proxies=settings.TRUSTED_PROXY_COUNT,
    )


def client_network(request: HttpRequest) -> str:
    """What rate limits count by: the IPv4 address, or the IPv6 /64 network."""
    return network_of(client_address(request))
