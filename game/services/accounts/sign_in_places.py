"""Where accounts have signed in: networks, and browsers by their cookie.

An attacker who tries passwords for a name from everywhere is refused everywhere but
there, so that they do not lock the owner out. Only keyed hashes are stored.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from game.models import BrowserMark, SignInPlace
from game.services.accounts.browsers import Browser, browser_hash

PLACES_KEPT_FOR: Final = timedelta(days=365)


class Familiarity(NamedTuple):
    """Whether an account has signed in from a browser, and from a network."""

    is_known_browser: bool
    is_known_network: bool


def place_record(account_id: str, browser: Browser, *, at: datetime) -> None:
    """Record that the account has proved a credential in this browser and network."""
    hashes = [value for value in (browser.network_hash, browser.cookie_hash) if value]
    SignInPlace.objects.bulk_create(
        [
            SignInPlace(account_id=account_id, place=value, seen_at=at)
            for value in hashes
        ],
        update_conflicts=True,
        unique_fields=["account", "place"],
        update_fields=["seen_at"],
    )


def place_familiarity(
    account_id: str, browser: Browser, *, at: datetime
) -> Familiarity:
    """Whether the account has signed in from the browser or network within a year.

    Browsers that an account was used from before places were recorded count too. The
    same two queries for an unknown account, so that their time reveals nothing.
    """
    places = SignInPlace.objects.filter(
        account_id=account_id,
        place__in=[browser.network_hash, browser.cookie_hash],
        seen_at__gt=at - PLACES_KEPT_FOR,
    )
    agent_hash = browser_hash(browser.address, browser.agent)
    marks = BrowserMark.objects.filter(
        account_id=account_id, mark__in=[agent_hash, browser.cookie_hash]
    )
    known = {
        *places.values_list("place", flat=True),
        *marks.values_list("mark", flat=True),
    }
    return Familiarity(
        is_known_browser=browser.cookie_hash in known,
        is_known_network=not known.isdisjoint({browser.network_hash, agent_hash}),
    )
