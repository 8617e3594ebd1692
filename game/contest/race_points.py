"""Points of rated races, computed from the settled races of one day.

A race counts if it is rated and the system paired its entrants. The points of an
account depend on its own races of that day alone, in the order in which they were
settled, so they can be computed again from the rows at any time.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

# For beating an opponent at the first, second and third meeting of a day; later
# meetings give nothing.
POINTS_BY_MEETING: Final = (5, 2, 1)
MAX_POINTS_A_DAY: Final = 30


class PlacedEntrant(NamedTuple):
    """An entrant with a place; `pool` is the pool of the boards it is ranked in."""

    account: str
    pool: str
    place: int


class SettledRace(NamedTuple):
    """A settled race that counts, with the entrants who have a place."""

    id: str
    settled_at: datetime
    entrants: tuple[PlacedEntrant, ...]


def gives_points(*, is_rated: bool, is_paired: bool) -> bool:
    """Whether a race gives points and records: the system chose who races whom."""
    return is_rated and is_paired


def points_for_beating(earlier_meetings: int) -> int:
    """The points for one opponent placed lower, after that many meetings that day."""
    if earlier_meetings >= len(POINTS_BY_MEETING):
        return 0
    return POINTS_BY_MEETING[earlier_meetings]


def account_day_points(account: str, races: Iterable[SettledRace]) -> dict[str, int]:
    """The account's points from each of its races of one day and ruleset, by race id.

    Only opponents of the same pool with a strictly lower place count: equal places give
    nothing. Every meeting makes later ones on that day worth less, also if the account
    lost. Races are taken in the order of their settling, equal times by id; races
    without the account are ignored.
    """
    met: Counter[str] = Counter()
    points_by_race: dict[str, int] = {}
    for race in sorted(races, key=lambda race: (race.settled_at, race.id)):
        own = next(
            (entrant for entrant in race.entrants if entrant.account == account), None
        )
        if own is None:
            continue
        opponents = [
            entrant
            for entrant in race.entrants
            if entrant.account != account and entrant.pool == own.pool
        ]
        points = sum(
            points_for_beating(met[opponent.account])
            for opponent in opponents
            if opponent.place > own.place
        )
        points_by_race[race.id] = min(
            points, MAX_POINTS_A_DAY - sum(points_by_race.values())
        )
        met.update(opponent.account for opponent in opponents)
    return points_by_race
