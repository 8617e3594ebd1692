"""The JSON objects of reviews, solutions and "what if"."""

from typing import Annotated, TypedDict, get_args

from msgspec import Meta

from game.analysis import coach
from game.models import Study as StudyModel
from game.rules.schemas import Effect, Observation
from game.selectors.core.wire import Number, one_of
from game.selectors.runs.schemas import CardCode, MoveCode

Theme = Annotated[str, one_of("Theme", get_args(coach.Theme))]
StudyStatus = Annotated[str, one_of("StudyStatus", ["none", *StudyModel.Status.values])]


class Study(TypedDict):
    """The progress of an analysis; the fields of its result are there once it is done.

    `queue_position` is 1 for the analysis that is computed next, null unless `status`
    is queued. Requesters take turns: an account, or all guests of a network together.
    """

    run: str
    seal: str
    version: str
    status: StudyStatus
    progress: Annotated[float, Meta(ge=0, le=1, extra_json_schema={"format": "double"})]
    queue_position: int | None


class Chances(TypedDict):
    """The chance to clear the run before and after a move; nulls where not measured."""

    chance_before: Number | None
    chance_after: Number | None
    chance_error: Number | None
    chance_change: Number | None


class MoveReview(Chances):
    """One move: exact values with the order known, chances without knowing it."""

    index: int
    move: MoveCode
    value_before: int
    value_after: int
    loss: int
    better: MoveCode | None
    line: list[MoveCode]


class TurningPoint(TypedDict):
    """One of the most expensive moves, in words."""

    index: int
    loss: int
    words: str


class ReviewResult(TypedDict, total=False):
    """The result of a review."""

    values: list[int]
    moves: list[MoveReview]
    turning_points: list[TurningPoint]
    accuracy: Number | None
    final_score: int
    best: int
    given_up: int
    proven: bool


class Review(Study, ReviewResult):
    """The review of a run, the order known."""


class SolutionResult(TypedDict, total=False):
    """The result of solving a position."""

    best: int
    proven: bool
    bound: int
    line: list[MoveCode]


class Solution(Study, SolutionResult):
    """The best play from a position, the order known."""


class Advice(TypedDict, total=False):
    """What the coach says, as far as the level of the hint goes.

    `chance` (0..1): how often a simple player clears the dungeon after the coach's
    plan, `chance_error` its standard error. `card` is null if the room should be
    avoided; `plan` has the moves to the end of the room.
    """

    chance: Number
    chance_error: Number
    theme: Theme
    card: CardCode | None
    plan: list[MoveCode]


class Hint(Study, Advice):
    """A hint for the position after `index` moves."""

    index: int
    level: int


class Coach(TypedDict):
    """How many cards the player of a practice run has not seen yet, by suit.

    `monsters_sum`: the value of the unseen monsters. `may_solve`: the seed is open, so
    the best line may be requested. Asking for this does not mark the run.
    """

    run: str
    seal: str
    index: int
    coached: bool
    unseen: int
    clubs: int
    spades: int
    diamonds: int
    hearts: int
    monsters_sum: int
    may_solve: bool


class WhatIf(TypedDict):
    """The table after other moves; `effects` are those of the last one."""

    run: str
    seal: str
    index: int
    moves: list[MoveCode]
    effects: list[Effect]
    observation: Observation
