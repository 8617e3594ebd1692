"""Public ratings of a player, and the rating changes of races."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from game.contest.rating import Skill
from game.models import Account, Rating, RatingChange
from game.selectors.boards import schemas as boards_schemas
from game.selectors.core.times import as_text


def ratings_of(account: Account) -> list[boards_schemas.Rating]:
    """The account's ratings, those with most races first."""
    rows = Rating.objects.filter(account=account).order_by("-races", "ruleset")
    return [
        {
            "ruleset": row.ruleset,
            "pool": row.pool,
            "rating": round(row.rating),
            "deviation": round(row.deviation),
            "provisional": Skill(row.rating, row.deviation).is_provisional,
            "races": row.races,
            "changed_at": as_text(row.changed_at),
        }
        for row in rows
    ]


class RatingMove(NamedTuple):
    """A rating before a race and its change by the race, rounded as shown."""

    before: int
    change: int


def rating_moves(changes: Iterable[RatingChange]) -> dict[str, RatingMove]:
    """The rating moves of one race by account, corrections included."""
    before: dict[str, float] = {}
    sums: dict[str, float] = defaultdict(float)
    for change in changes:
        if change.act_id is None:
            before[change.account_id] = change.rating_before
        sums[change.account_id] += change.rating_after - change.rating_before
    return {
        account: RatingMove(round(old), round(old + sums[account]) - round(old))
        for account, old in before.items()
    }
