"""Live seats: an account is in one countdown or running race at a time.

The constraint `entrant_one_live_race` holds this under concurrency; the functions here
refuse before it would be violated.
"""

from collections.abc import Iterable
from datetime import datetime

from game.models import Entrant
from game.services.core.errors import Kind, ServiceRefusal
from game.services.races.timeouts import race_advance


def live_seats_release(account_ids: Iterable[str], *, at: datetime) -> None:
    """Release the seats whose runs have ended, which no move or tick has done yet.

    Call it outside of a transaction.
    """
    seats = Entrant.objects.filter(account__in=account_ids, is_live=True)
    for race_id in set(seats.values_list("race_id", flat=True)):
        race_advance(race_id, at=at)


def accounts_live(
    account_ids: Iterable[str], *, except_race: str | None = None
) -> set[str]:
    """Which of the accounts have a live seat in another race."""
    seats = Entrant.objects.filter(account__in=account_ids, is_live=True)
    others = seats.exclude(race_id=except_race) if except_race else seats
    return set(others.values_list("account_id", flat=True))


def require_no_live_seat(account_id: str, *, except_race: str | None = None) -> None:
    """Raises race.one_rated or race.one_live, with {race}."""
    seats = Entrant.objects.filter(account_id=account_id, is_live=True)
    others = seats.exclude(race_id=except_race) if except_race else seats
    seat = others.select_related("race").first()
    if seat is None:
        return
    rated = seat.race.rated
    raise ServiceRefusal(
        Kind.CONFLICT,
        "race.one_rated" if rated else "race.one_live",
        f"You are in {'a rated' if rated else 'another'} race; finish that one first.",
        {"race": seat.race_id},
    )
