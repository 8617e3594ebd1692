"""What races did to ratings, corrections and all, in whole numbers as shown."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from game.models import RatingChange


class RatingMove(NamedTuple):
    """The rating before a race, and what the race has come to do to it."""

    before: int
    change: int


def rating_moves(changes: Iterable[RatingChange]) -> dict[str, RatingMove]:
    """By account, from one race's lines of the ledger, in any order."""
    before: dict[str, float] = {}
    moved: dict[str, float] = defaultdict(float)
    for one in changes:
        if one.act_id is None:
            before[one.account_id] = one.rating_before
        moved[one.account_id] += one.rating_after - one.rating_before
    return {
        account: RatingMove(round(was), round(was + moved[account]) - round(was))
        for account, was in before.items()
    }
