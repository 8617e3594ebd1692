"""A finished run in hindsight: what each move gave away, exactly.

Owns the values before each move, the losses, the better lines and the turning points.
The chance a player could know of is in `chances`; the words are in `words`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.par import ANALYSIS_VERSION, Progress
from game.analysis.solver.position import cards_of, position_of
from game.analysis.solver.solve import Budget, search_best
from game.analysis.solver.witness import line_to
from game.analysis.words import turning_point
from game.rules import (
    Card,
    Move,
    Ruleset,
    State,
    apply,
    broken_off_score,
    legal_moves,
    parse_move,
    score,
    start,
)

TURNING_POINTS: Final = 3
# A move that gives away this much or more counts nothing towards accuracy.
WHOLE_LOSS: Final = 10


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move: the best score in reach before and after it, and the better line.

    `loss` = before - after. Where it is above 0, `line` is a line from this position
    that reaches `before`, and `better` its first move.
    """

    index: int
    move: Move
    before: int
    after: int
    loss: int
    better: Move | None
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """One of the dearest moves, in a sentence or two."""

    index: int
    loss: int
    text: str


@dataclass(frozen=True, slots=True)
class Review:
    """A run in hindsight.

    `values`: the best score in reach before each move, and the final score last.
    `given_up`: what a run that was broken off still had in reach beyond its score.
    `accuracy`: 0..1 over the moves that were a choice; None where there was none.
    """

    version: str
    values: tuple[int, ...]
    moves: tuple[MoveReview, ...]
    turning_points: tuple[TurningPoint, ...]
    accuracy: float | None
    given_up: int
    proven: bool


class _Values:
    """The best score in reach from each position of a run, by bisection (L6)."""

    def __init__(
        self, states: list[State], budget: Budget, progress: Progress | None
    ) -> None:
        self.states = states
        self.budget = budget
        self.progress = progress
        self.reach: list[int | None] = [None] * len(states)
        self.lines: dict[int, tuple[Move, ...]] = {}
        self.proven = True

    def find(self) -> list[int]:
        """Every value; those between two equal ones need no search."""
        last = len(self.states) - 1
        final = score(self.states[last])
        if final is None:
            self._solve(last, None, None)
        else:
            self.reach[last] = final
        self._tell()
        if last:
            self._solve(0, self.reach[last], None)
            self._between(0, last)
        reach = [value for value in self.reach if value is not None]
        # Where a budget ran out, what the run did reach later was in reach before (L6).
        for at in range(last - 1, -1, -1):
            reach[at] = max(reach[at], reach[at + 1])
        return reach

    def _between(self, first: int, last: int) -> None:
        if self.reach[first] == self.reach[last]:
            for at in range(first + 1, last):
                self.reach[at] = self.reach[first]
        elif last - first > 1:
            middle = (first + last) // 2
            self._solve(middle, self.reach[last], self.reach[first])
            self._between(first, middle)
            self._between(middle, last)
        self._tell()

    def _solve(self, at: int, low: int | None, high: int | None) -> None:
        state = self.states[at]
        root = position_of(state)
        found = search_best(root, self.budget, low, high)
        self.reach[at] = found.best
        self.proven = self.proven and found.proven
        if found.end is not None:
            self.lines[at] = line_to(root, cards_of(state), found.end, found.best)
        self._tell()

    def _tell(self) -> None:
        if self.progress:
            known = sum(value is not None for value in self.reach)
            self.progress(known, len(self.reach))


def review(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Review:
    """Review a run that is over, or was broken off, from its dungeon and moves.

    `progress(known, total)` counts positions. Raises IllegalMove, MalformedMove. With a
    budget that runs out, values may be too low and `proven` is false.
    """
    played = [parse_move(move) for move in moves]
    states = [start(ruleset, deck, difficulty)]
    for move in played:
        states.append(apply(states[-1], move)[0])
    values = _Values(states, budget or Budget(), progress)
    reach = values.find()
    reviews = tuple(
        _reviewed(index, move, reach, values.lines) for index, move in enumerate(played)
    )
    final = score(states[-1])
    ending = broken_off_score(states[-1]) if final is None else final
    return Review(
        version=ANALYSIS_VERSION,
        values=(*reach[:-1], ending),
        moves=reviews,
        turning_points=_turning_points(states, reviews),
        accuracy=accuracy_of(states, reviews),
        given_up=max(0, reach[-1] - ending),
        proven=values.proven,
    )


def _reviewed(
    index: int, move: Move, reach: list[int], lines: dict[int, tuple[Move, ...]]
) -> MoveReview:
    before, after = reach[index], reach[index + 1]
    line = lines.get(index, ()) if before > after else ()
    better = line[0] if line else None
    return MoveReview(index, move, before, after, before - after, better, line)


def _turning_points(
    states: list[State], reviews: Sequence[MoveReview]
) -> tuple[TurningPoint, ...]:
    """The dearest moves, losing a clearance before losing points, in order of play."""
    dear = [one for one in reviews if one.loss > 0]
    dear.sort(key=lambda one: (-(one.before > 0 >= one.after), -one.loss, one.index))
    return tuple(
        TurningPoint(
            one.index,
            one.loss,
            turning_point(
                states[one.index], one.move, one.better, (one.before, one.after)
            ),
        )
        for one in sorted(dear[:TURNING_POINTS], key=lambda one: one.index)
    )


def accuracy_of(states: list[State], reviews: Sequence[MoveReview]) -> float | None:
    """The mean of 1 - loss / 10, not below 0, over moves that were a choice."""
    kept = [
        max(0.0, 1 - one.loss / WHOLE_LOSS)
        for one in reviews
        if len(legal_moves(states[one.index])) > 1
    ]
    return sum(kept) / len(kept) if kept else None
