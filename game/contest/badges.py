"""Badges: what a settled daily may earn somebody. Data and one function.

Each is earned once; a moderator's voiding of a run takes none back by itself.
"""

from typing import Final, NamedTuple

# Fewer players than this make no podium.
MIN_PODIUM_FIELD: Final = 5


class DailyResult(NamedTuple):
    """What one settled run, and the player's row of days, have come to."""

    cleared: bool
    health: int
    rank: int
    of: int
    streak: int
    dailies: int


class Badge(NamedTuple):
    """A badge in words."""

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


def badges_earned(deed: DailyResult) -> frozenset[str]:
    """The keys of all badges that the deed is good for."""
    is_field = deed.of >= MIN_PODIUM_FIELD
    won = {
        "first_daily": True,
        "first_clear": deed.cleared,
        "unscathed": deed.cleared and deed.health >= 20,
        "podium": is_field and deed.rank <= 3,
        "first_place": is_field and deed.rank == 1,
        **{f"streak_{n}": deed.streak >= n for n in (7, 30, 100, 365)},
        "dailies_100": deed.dailies >= 100,
    }
    return frozenset(key for key, has in won.items() if has)
