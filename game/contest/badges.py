"""Badges that a settled daily can earn.

Each is earned once. Voiding a run does not revoke badges.
"""

from typing import Final, NamedTuple

# A daily with fewer players earns no podium badges.
MIN_PODIUM_FIELD: Final = 5


class DailyResult(NamedTuple):
    """A settled run: rank among `of` players, and the player's streak and dailies."""

    cleared: bool
    health: int
    rank: int
    of: int
    streak: int
    dailies: int


class Badge(NamedTuple):
    """A badge and its texts."""

    key: str
    name: str
    words: str


BADGES: Final = (
    Badge("first_daily", "First descent", "Played a ranked daily."),
    Badge("first_clear", "Daylight", "Cleared a daily."),
    Badge("unscathed", "Unscathed", "Cleared a daily with 20 health."),
    Badge("podium", "Podium", "Came third or better among five or more."),
    Badge("first_place", "Torchbearer", "Came first among five or more."),
    Badge("streak_7", "A week below", "Seven days in a row."),
    Badge("streak_30", "A month below", "Thirty days in a row."),
    Badge("streak_100", "No daylight", "A hundred days in a row."),
    Badge("streak_365", "Cellar-dweller", "A year of days in a row."),
    Badge("dailies_100", "Regular", "A hundred ranked dailies."),
)


def badges_earned(result: DailyResult) -> frozenset[str]:
    """The keys of all badges that the result earns."""
    is_field = result.of >= MIN_PODIUM_FIELD
    won = {
        "first_daily": True,
        "first_clear": result.cleared,
        "unscathed": result.cleared and result.health >= 20,
        "podium": is_field and result.rank <= 3,
        "first_place": is_field and result.rank == 1,
        **{f"streak_{n}": result.streak >= n for n in (7, 30, 100, 365)},
        "dailies_100": result.dailies >= 100,
    }
    return frozenset(key for key, has in won.items() if has)
