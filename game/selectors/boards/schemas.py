"""The JSON objects of boards and ratings."""

from typing import Annotated, TypedDict

from game import models
from game.contest import ranking
from game.selectors.core.wire import Instant, Number, Url, one_of
from game.selectors.runs.schemas import BoardPool, DifficultyKey, RulesetKey

BoardKey = Annotated[str, one_of("BoardKey", ranking.BOARDS)]
BoardValue = Annotated[str, one_of("BoardValue", ranking.BoardValue)]
BoardPeriod = Annotated[str, one_of("BoardPeriod", ranking.BoardPeriod)]
RatingPool = Annotated[str, one_of("RatingPool", models.RatingPool.values)]


class Entry(TypedDict):
    """One entry of a board; `value` has the unit named by the board's `value`."""

    rank: int
    player: str
    is_you: bool
    value: int
    score: int | None
    cleared: bool | None
    elapsed_ms: int | None
    run: str | None


class BoardMe(TypedDict):
    """Your own entry on a board."""

    rank: int
    value: int
    percentile: Number
    run: str | None


class CurvePoint(TypedDict):
    """How many players achieved a score."""

    score: int
    players: int


class BoardEntries(TypedDict):
    """Entries of a board, and the viewer's own place. `hidden`: a daily's board before
    the viewer's own attempt is over; only the number of players is shown.
    """

    board: BoardKey
    name: str
    value: BoardValue
    ruleset: RulesetKey | None
    difficulty: DifficultyKey | None
    of: str | None
    pool: BoardPool
    hidden: bool
    closed_at: Instant | None
    total: int | None
    results: list[Entry]
    me: BoardMe | None
    curve: list[CurvePoint]


class BoardStatus(TypedDict):
    """Whether a board is final, and how many play for it."""

    players: int | None
    provisional: bool
    settled_at: Instant | None
    digest: str | None
    revision: int | None


class Board(BoardEntries, BoardStatus):
    """A page of a board. `hidden`: a daily's board before your own attempt is over;
    only `players` is shown.
    """

    next: Url | None


class BoardKind(TypedDict):
    """A kind of board; `spans` are those with a board, newest first. `rules` says in
    sentences what counts.
    """

    board: BoardKey
    name: str
    words: str
    over: BoardPeriod
    value: BoardValue
    by_ruleset: bool
    by_difficulty: bool
    spans: list[str]
    rules: list[str]


class BoardKinds(TypedDict):
    """Every kind of board."""

    results: list[BoardKind]


class Rating(TypedDict):
    """A rating (Glicko-2); provisional while its deviation is above 110."""

    ruleset: RulesetKey
    pool: RatingPool
    rating: int
    deviation: int
    provisional: bool
    races: int
    changed_at: Instant


class Ratings(TypedDict):
    """All of a player's ratings."""

    results: list[Rating]
