"""Limits of open races: how many seats and races an account has, and blocks.

Call these in the transaction that takes the seat. `account_lock` comes first, before
the race's lock, so that concurrent requests of one account are counted one by one.
"""

from collections.abc import Iterable
from datetime import datetime

from game.contest.race import (
    MAX_OPEN_RACES,
    MAX_OPEN_SEATS,
    OPEN_FOR,
)
from game.models import Account, Entrant, Race
from game.selectors.accounts.blocks import unpairable
from game.services.core.errors import Kind, ServiceRefusal


def account_lock(account_id: str) -> Account:
    """Lock the account, so that its seats are counted by one request at a time."""
    return Account.objects.select_for_update(no_key=True).get(id=account_id)


def require_free_seat(
    account_id: str, *, at: datetime, except_race: str | None = None
) -> None:
    """Raises race.too_many_seats {most, races}. Seats that a rematch took for the
    account do not count until it answers.
    """
    seats = Entrant.objects.filter(
        account_id=account_id,
        kind=Entrant.Kind.PLAYER,
        left_at=None,
        is_invited=False,
        joined_at__gt=at - OPEN_FOR,
        race__starts_at=None,
        race__cancelled_at=None,
        race__expires_at__gt=at,
    ).exclude(race_id=except_race or "")
    races = list(seats.values_list("race_id", flat=True)[:MAX_OPEN_SEATS])
    if len(races) >= MAX_OPEN_SEATS:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.too_many_seats",
            f"You have seats in {MAX_OPEN_SEATS} races that have not started, which is"
            " the most. Leave one of them first.",
            {"most": MAX_OPEN_SEATS, "races": races},
        )


def require_free_open_race(account_id: str, *, at: datetime) -> None:
    """Raises race.too_many_open {most, races}."""
    hosted = Race.objects.filter(
        host=account_id, starts_at=None, cancelled_at=None, expires_at__gt=at
    )
    races = list(hosted.values_list("id", flat=True)[:MAX_OPEN_RACES])
    if len(races) >= MAX_OPEN_RACES:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.too_many_open",
            f"You host {MAX_OPEN_RACES} races that have not started, which is the most."
            " Start or leave one of them first.",
            {"most": MAX_OPEN_RACES, "races": races},
        )


def require_no_block(account_id: str, others: Iterable[str]) -> None:
    """Raises race.blocked if the account and one of the others block each other."""
    if unpairable([account_id, *others]).get(account_id):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "race.blocked",
            "You cannot take a seat here: a player in this race has blocked you, or you"
            " have blocked them.",
        )
