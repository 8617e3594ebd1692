"""Boards: their definitions, sort keys, ranks and points.

Entries of every board are sorted by a pair of integers, `order` and then `ms`, smaller
first. Equal pairs share a rank and the next one is skipped (1-2-2-4).
`services/boards/leaderboards` stores the entries.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from game.contest import board_rules

# Entries are counted per order and per slot of this many milliseconds, so that a rank
# is the sum of a few hundred counts instead of a count over a million rows.
SLOT_MS: Final = 10_000


class BoardPool(StrEnum):
    """Who is on a board. People and programs never share one."""

    PEOPLE = "people"
    BOTS = "bots"


def run_pool(*, by_program: bool) -> BoardPool:
    """The pool in which a run is ranked, whatever the account is called.

    `by_program`: the account is a bot, or a move of the run was sent with a token.
    """
    return BoardPool.BOTS if by_program else BoardPool.PEOPLE


class BoardPeriod(StrEnum):
    """The period a board covers."""

    DAY = "day"
    WEEK = "week"
    SEASON = "season"
    ALL = "all"


class BoardValue(StrEnum):
    """What a board ranks by."""

    SCORE = "score"
    POINTS = "points"
    TIME = "time_ms"
    DAYS = "days"
    RATING = "rating"


class Board(NamedTuple):
    """One kind of board.

    `by_ruleset`, `by_difficulty`: whether there is one board for each of them; `rules`:
    sentences on what counts.
    """

    key: str
    name: str
    words: str
    over: BoardPeriod
    value: BoardValue
    by_ruleset: bool = True
    by_difficulty: bool = False
    rules: tuple[str, ...] = ()


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
        "Points of the week's dailies and quick matches, Monday to Sunday.",
        BoardPeriod.WEEK,
        BoardValue.POINTS,
        rules=board_rules.POINTS,
    ),
    Board(
        "season",
        "Season",
        "Points of ten weeks; a tenth of the last season's is carried over.",
        BoardPeriod.SEASON,
        BoardValue.POINTS,
        rules=board_rules.POINTS,
    ),
    Board(
        "best",
        "Best",
        "The best score of each player in ranked dailies and rated quick matches.",
        BoardPeriod.ALL,
        BoardValue.SCORE,
        by_difficulty=True,
        rules=board_rules.RECORDS,
    ),
    Board(
        "fastest",
        "Fastest",
        "The fastest clearance of each player in ranked dailies and rated quick"
        " matches, by whole seconds, then to the millisecond.",
        BoardPeriod.ALL,
        BoardValue.TIME,
        by_difficulty=True,
        rules=board_rules.RECORDS,
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
        "Ratings after 15 rated races with a deviation below 75.",
        BoardPeriod.ALL,
        BoardValue.RATING,
        rules=board_rules.RATINGS,
    ),
)
BOARDS: Final = {board.key: board for board in _ROWS}

MIN_RATED_RACES: Final = 15
MAX_RATING_DEVIATION: Final = 75.0


class SortKey(NamedTuple):
    """The sort key of an entry: smaller is better, equal keys share a rank."""

    order: int
    ms: int


def score_key(score: int, elapsed_ms: int, *, is_cleared: bool) -> SortKey:
    """The key of a run: score, then cleared before died, then time."""
    return SortKey(-(2 * score + is_cleared), elapsed_ms)


def time_key(elapsed_ms: int) -> SortKey:
    """The key of a cleared run by time: whole seconds, then milliseconds."""
    return SortKey(elapsed_ms // 1000, elapsed_ms)


def number_key(number: int) -> SortKey:
    """The key of a number of points, days or rating: more is better."""
    return SortKey(-number, 0)


def score_from_order(order: int) -> int:
    """The score in the `order` of a `score_key`."""
    return -order // 2


def assign_ranks(standings: Iterable[SortKey]) -> list[int]:
    """The rank of each key (1, 2, 2, 4). Raises ValueError if they are not sorted."""
    ranks: list[int] = []
    before: SortKey | None = None
    for position, standing in enumerate(standings, start=1):
        if before is not None and standing < before:
            raise ValueError("The keys are not in ascending order.")
        ranks.append(ranks[-1] if standing == before else position)
        before = standing
    return ranks


def percentile(rank: int, of: int) -> float:
    """The percentage of the others who did no better, rounded down to one decimal.

    100.0 for the first, 0.0 for the last without ties.
    """
    return 100.0 if of <= 1 else (1000 * (of - rank) // (of - 1)) / 10


class DailyStanding(NamedTuple):
    """An entry of a daily's board; `has_played`: whether the run faced a card."""

    sort_key: SortKey
    has_played: bool
    account: str


class DailyField(NamedTuple):
    """Against whom an entry counts: players who have played and are not linked to it.

    `behind`: how many of them are strictly behind; `of`: how many there are, with the
    entry itself.
    """

    behind: int
    of: int


def daily_fields(
    standings: Sequence[DailyStanding], groups: Sequence[Collection[str]] = ()
) -> list[DailyField]:
    """The field of each entry of a daily's board.

    `groups`: accounts of which any two are linked. An account may be in several.
    """
    keys = {
        standing.account: standing.sort_key
        for standing in standings
        if standing.has_played
    }
    played = sorted(keys.values())
    members = [[account for account in group if account in keys] for group in groups]
    sorted_keys = [sorted(keys[account] for account in group) for group in members]
    groups_of: dict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(members):
        for account in group:
            groups_of[account].append(number)

    def field(standing: DailyStanding) -> DailyField:
        own_groups = groups_of.get(standing.account, [])
        if len(own_groups) == 1:  # the usual case, also for a school of thousands
            linked = sorted_keys[own_groups[0]]
        else:
            accounts = {account for n in own_groups for account in members[n]}
            linked = sorted(keys[account] for account in accounts)
        # The entry is in its own groups.
        of = len(played) - max(0, len(linked) - 1)
        behind = _strictly_behind(played, standing) - _strictly_behind(linked, standing)
        return DailyField(behind, of)

    return [field(standing) for standing in standings]


def _strictly_behind(keys: Sequence[SortKey], standing: DailyStanding) -> int:
    return len(keys) - bisect_right(keys, standing.sort_key)


def daily_awards(
    standings: Sequence[DailyStanding], groups: Sequence[Collection[str]] = ()
) -> list[int]:
    """The points of each entry of a daily's board.

    Only entries that have played get points, and only such entries that are not linked
    to it count as behind: the points are those of a board without linked players.
    """
    fields = daily_fields(standings, groups)
    return list(map(daily_award, standings, fields))


def daily_award(standing: DailyStanding, field: DailyField) -> int:
    """The points of an entry with this field; none if it has not played."""
    return daily_points(field.behind, field.of) if standing.has_played else 0


def daily_points(behind: int, of: int) -> int:
    """Points of a daily: 10 for playing, and more for each player strictly behind.

    The first of n gets 10 + min(90, 10 (n - 1)), the last 10, the others in proportion
    to the number of players behind them. Equal entries are not behind each other.
    """
    if of <= 1:
        return 10
    most = min(90, 10 * (of - 1))
    return 10 + most * behind // (of - 1)


def carry_over(points: int) -> int:
    """The points carried over into the next season: a tenth, rounded down."""
    return points // 10
