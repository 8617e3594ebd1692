"""Rematches of a race: who declined them."""

from game.models import Entrant


def rematch_decliners(race_id: str) -> set[str]:
    """The accounts that gave up their seat in the last rematch of the race they were
    seated in. Seats that nobody took but the host removed count as well.
    """
    seats = Entrant.objects.filter(race__rematch_origin=race_id)
    latest = seats.order_by("race__made_at", "race_id").values_list(
        "account_id", "left_at"
    )
    left_at = dict(latest)  # the last row of each account
    return {account_id for account_id, at in left_at.items() if at is not None}
