"""Where accounts have signed in: networks, and browsers by their cookie.

An attacker who tries passwords for a name from everywhere is refused everywhere but
there, so that they do not lock the owner out. Only keyed hashes are stored.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from game.models import BrowserMark, SignInPlace
from game.services.accounts.browsers import browser_hash, cookie_hash, network_hash

PLACES_KEPT_FOR: Final = timedelta(days=365)


class Place(NamedTuple):
    """Where a request comes from; `cookie` is that of the browser, or empty."""

    address: str
    agent: str
    cookie: str

    @property
    def network_hash(self) -> str:
        """The keyed hash of the network."""
        return network_hash(self.address)

    @property
    def browser_hash(self) -> str:
        """The keyed hash of the browser's cookie; empty without one."""
        return cookie_hash(self.cookie)


class Familiar(NamedTuple):
    """Whether an account has signed in from a browser, and from a network."""

    browser: bool
    network: bool


def place_record(account_id: str, place: Place, *, at: datetime) -> None:
    """Record that the account has proved a credential from this place."""
    hashes = [value for value in (place.network_hash, place.browser_hash) if value]
    SignInPlace.objects.bulk_create(
        [
            SignInPlace(account_id=account_id, place=value, seen_at=at)
            for value in hashes
        ],
        update_conflicts=True,
        unique_fields=["account", "place"],
        update_fields=["seen_at"],
    )


def place_is_familiar(account_id: str, place: Place, *, at: datetime) -> Familiar:
    """Whether the account has signed in from the place within a year.

    Browsers that an account was used from before places were recorded count too. The
    same two queries for an unknown account, so that their time reveals nothing.
    """
    places = SignInPlace.objects.filter(
        account_id=account_id,
        place__in=[place.network_hash, place.browser_hash],
        seen_at__gt=at - PLACES_KEPT_FOR,
    )
    agent_hash = browser_hash(place.address, place.agent)
    marks = BrowserMark.objects.filter(
        account_id=account_id, mark__in=[agent_hash, place.browser_hash]
    )
    known = {
        *places.values_list("place", flat=True),
        *marks.values_list("mark", flat=True),
    }
    return Familiar(
        browser=place.browser_hash in known,
        network=not known.isdisjoint({place.network_hash, agent_hash}),
    )
