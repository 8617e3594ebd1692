"""The place of a request: its network and its browser, by the browser cookie."""

from datetime import datetime

from django.http import HttpRequest

from api.rest.core.browser_cookie import browser_of, browser_remember
from game.services.accounts.sign_in_places import Place, place_record


def place_of(request: HttpRequest) -> Place:
    """Return where the request comes from."""
    return Place(**browser_of(request)._asdict())


def remember_place(request: HttpRequest, account_id: str, *, at: datetime) -> None:
    """Record that the account has proved a credential here."""
    place = Place(**browser_remember(request)._asdict())
    place_record(account_id, place, at=at)
