"""Ratings of a player, as everybody may see them."""

from game.contest.rating import Skill
from game.models import Account, Rating
from game.selectors.boards import schemas as boards_schemas
from game.selectors.core.times import as_text


def ratings_of(account: Account) -> list[boards_schemas.Rating]:
    """The account's ratings, the best known first."""
    rows = Rating.objects.filter(account=account).order_by("-races", "ruleset")
    return [
        {
            "ruleset": row.ruleset,
            "pool": row.pool,
            "rating": round(row.rating),
            "deviation": round(row.deviation),
            "provisional": Skill(row.rating, row.deviation).provisional,
            "races": row.races,
            "changed_at": as_text(row.changed_at),
        }
        for row in rows
    ]
