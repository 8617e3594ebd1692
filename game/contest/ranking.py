"""Boards: which there are, what orders them, and what a rank is worth. Rows of data.

An entry's place on any board is one pair of integers, smaller is better: `order` and
then `ms`. Equal pairs share a rank and the next one is skipped (1-2-2-4). Knows no
table: `services/boards/leaderboards` keeps the entries.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

# Entries are counted by order and by slots of so many milliseconds, so that a rank
# is found by adding a few hundred numbers up instead of counting a million rows.
SLOT_MS: Final = 10_000


class BoardPool(StrEnum):
    """Who is on a board: people and programs are never on the same one."""

    PEOPLE = "people"
    BOTS = "bots"


class BoardPeriod(StrEnum):
    """What a board spans."""

    DAY = "day"
    WEEK = "week"
    SEASON = "season"
    ALL = "all"


class BoardValue(StrEnum):
    """What the number on a board is."""

    SCORE = "score"
    POINTS = "points"
    TIME = "time_ms"
    DAYS = "days"
    RATING = "rating"


class Board(NamedTuple):
    """One kind of board: a row of BOARDS.

    `by_ruleset`, `by_difficulty`: whether there is one for each of them.
    """

    key: str
    name: str
    words: str
    over: BoardPeriod
    value: BoardValue
    by_ruleset: bool = True
    by_difficulty: bool = False


_ROWS: Final = (
    Board(
        "daily",
        "Daily",
        "The day's dungeon: score, then cleared before died, then time.",
        BoardPeriod.DAY,
        BoardValue.SCORE,
    ),
    Board(
        "week",
        "Week",
        "Points of the week's dailies and rated races, Monday to Sunday.",
        BoardPeriod.WEEK,
        BoardValue.POINTS,
    ),
    Board(
        "season",
        "Season",
        "Points of ten weeks; a tenth of the last season's comes along.",
        BoardPeriod.SEASON,
        BoardValue.POINTS,
    ),
    Board(
        "best",
        "Best",
        "Everybody's best ranked score of all time.",
        BoardPeriod.ALL,
        BoardValue.SCORE,
        by_difficulty=True,
    ),
    Board(
        "fastest",
        "Fastest",
        "Everybody's fastest ranked clearance, by whole seconds, then to the"
        " millisecond.",
        BoardPeriod.ALL,
        BoardValue.TIME,
        by_difficulty=True,
    ),
    Board(
        "streak",
        "Streak",
        "The longest row of days with a ranked daily, under any ruleset.",
        BoardPeriod.ALL,
        BoardValue.DAYS,
        by_ruleset=False,
    ),
    Board(
        "rating",
        "Rating",
        "Ratings that are settled: 15 rated races, and a deviation below 75.",
        BoardPeriod.ALL,
        BoardValue.RATING,
    ),
)
BOARDS: Final = {board.key: board for board in _ROWS}

MIN_RATED_RACES: Final = 15
MAX_RATING_DEVIATION: Final = 75.0


class SortKey(NamedTuple):
    """Where an entry stands: smaller is better, equal shares the rank."""

    order: int
    ms: int


def score_key(score: int, elapsed_ms: int, *, cleared: bool) -> SortKey:
    """The standing of a run: score, then cleared before died, then time."""
    return SortKey(-(2 * score + cleared), elapsed_ms)


def time_key(elapsed_ms: int) -> SortKey:
    """The standing of a clearance by its time alone."""
    return SortKey(elapsed_ms // 1000, elapsed_ms)


def number_key(number: int) -> SortKey:
    """The standing of a count (points, days, a rating): more is better."""
    return SortKey(-number, 0)


def score_from_order(order: int) -> int:
    """The score that `by_score` put into an order."""
    return -order // 2


def assign_ranks(standings: Iterable[SortKey]) -> list[int]:
    """The rank of each, in ascending order of standing: 1, 2, 2, 4."""
    found: list[int] = []
    before: SortKey | None = None
    for position, standing in enumerate(standings, start=1):
        if before is not None and standing < before:
            raise ValueError("Standings are ranked in ascending order.")
        found.append(found[-1] if standing == before else position)
        before = standing
    return found


def percentile(rank: int, of: int) -> float:
    """How many of the others, in percent, did no better: 100.0 for the first, 0.0 for
    the last of a field without ties. One decimal, rounded down.
    """
    return 100.0 if of <= 1 else (1000 * (of - rank) // (of - 1)) / 10


def daily_points(rank: int, of: int) -> int:
    """Points of a daily: 10 for having played it, and for the others one was ahead of.

    The first of n gets 10 + min(90, 10 (n - 1)), the last 10, the rest in proportion
    to the number of those behind: a small field is worth less.
    """
    if of <= 1:
        return 10
    most = min(90, 10 * (of - 1))
    return 10 + most * (of - rank) // (of - 1)


def race_points(place: int, of: int) -> int:
    """Points of a rated race: 5 for each entrant one was ahead of."""
    return 5 * max(0, of - place)


def carry_over(points: int) -> int:
    """What a season's points are worth in the next one: the soft reset."""
    return points // 10
