"""The review of a finished run: the exact loss of each move, knowing the card order.

Owns the values before each move, the losses, the better lines, and the turning points
with their sentences. How a move changed the chance that the player could know of is in
`chances`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.assessment import ANALYSIS_VERSION, Progress
from game.analysis.solver.lines import line_to
from game.analysis.solver.position import cards_of, position_of
from game.analysis.solver.solve import Budget, search_best
from game.rules import (
    Action,
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
# A move that loses this much or more counts 0 in the accuracy.
WHOLE_LOSS: Final = 10
_RANKS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS: Final = {"C": "clubs", "S": "spades", "D": "diamonds", "H": "hearts"}


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move: the best score possible before and after it, and a better line.

    `loss` = before - after. If it is above 0, `line` is a line from the position before
    the move that reaches `before`, and `better` is its first move.
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
    """One of the moves that lost the most, described in one or two sentences."""

    index: int
    loss: int
    text: str


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a run.

    `values`: the best score possible before each move, then the final score.
    `given_up`: how many more points were possible when the run was broken off.
    `accuracy`: 0..1 over the moves with an alternative; None if there were none.
    `proven`: every value is proven to be the best.
    """

    version: str
    values: tuple[int, ...]
    moves: tuple[MoveReview, ...]
    turning_points: tuple[TurningPoint, ...]
    accuracy: float | None
    given_up: int
    proven: bool


class _RunValues:
    """The best score possible from each position of a run, by bisection (L6)."""

    def __init__(
        self, states: list[State], budget: Budget, progress: Progress | None
    ) -> None:
        self.states = states
        self.budget = budget
        self.progress = progress
        self.known: list[int | None] = [None] * len(states)
        self.lines: dict[int, tuple[Move, ...]] = {}
        self.proven = True

    def find(self) -> list[int]:
        """Compute all values; those between two equal ones need no search."""
        last = len(self.states) - 1
        final = score(self.states[last])
        if final is None:
            self._solve(last, None, None)
        else:
            self.known[last] = final
        self._report()
        if last:
            self._solve(0, self.known[last], None)
            self._bisect(0, last)
        values = [value for value in self.known if value is not None]
        # A budget may have ended a search: a later value was possible before, too (L6).
        for at in range(last - 1, -1, -1):
            values[at] = max(values[at], values[at + 1])
        return values

    def _bisect(self, first: int, last: int) -> None:
        if self.known[first] == self.known[last]:
            for at in range(first + 1, last):
                self.known[at] = self.known[first]
        elif last - first > 1:
            middle = (first + last) // 2
            self._solve(middle, self.known[last], self.known[first])
            self._bisect(first, middle)
            self._bisect(middle, last)
        self._report()

    def _solve(self, at: int, low: int | None, high: int | None) -> None:
        state = self.states[at]
        root = position_of(state)
        result = search_best(root, self.budget, low, high)
        self.known[at] = result.best
        self.proven = self.proven and result.is_proven
        if result.end is not None:
            self.lines[at] = line_to(root, cards_of(state), result.end, result.best)
        self._report()

    def _report(self) -> None:
        if self.progress:
            known = sum(value is not None for value in self.known)
            self.progress(known, len(self.known))


def review(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Review:
    """Review a run that is over or was broken off, from its deck and moves.

    `progress(known, total)` counts positions. If the budget runs out, values may be too
    low and `proven` is false. Raises IllegalMove, MalformedMove.
    """
    played = [parse_move(move) for move in moves]
    states = [start(ruleset, deck, difficulty)]
    for move in played:
        states.append(apply(states[-1], move)[0])
    searched = _RunValues(states, budget or Budget(), progress)
    values = searched.find()
    reviews = tuple(
        _review_move(index, move, values, searched.lines)
        for index, move in enumerate(played)
    )
    final = score(states[-1])
    ending = broken_off_score(states[-1]) if final is None else final
    return Review(
        version=ANALYSIS_VERSION,
        values=(*values[:-1], ending),
        moves=reviews,
        turning_points=_turning_points(states, reviews),
        accuracy=accuracy_of(states, reviews),
        given_up=max(0, values[-1] - ending),
        proven=searched.proven,
    )


def _review_move(
    index: int, move: Move, values: list[int], lines: dict[int, tuple[Move, ...]]
) -> MoveReview:
    before, after = values[index], values[index + 1]
    line = lines.get(index, ()) if before > after else ()
    better = line[0] if line else None
    return MoveReview(index, move, before, after, before - after, better, line)


def _turning_points(
    states: list[State], reviews: Sequence[MoveReview]
) -> tuple[TurningPoint, ...]:
    """The costliest moves in order of play; a lost clearance comes first."""
    costly = [move for move in reviews if move.loss > 0]
    costly.sort(
        key=lambda move: (-(move.before > 0 >= move.after), -move.loss, move.index)
    )
    return tuple(
        TurningPoint(
            move.index,
            move.loss,
            describe_turning_point(
                states[move.index], move.move, move.better, (move.before, move.after)
            ),
        )
        for move in sorted(costly[:TURNING_POINTS], key=lambda move: move.index)
    )


def accuracy_of(states: list[State], reviews: Sequence[MoveReview]) -> float | None:
    """The mean of max(0, 1 - loss / 10) over the moves that had an alternative."""
    shares = [
        max(0.0, 1 - move.loss / WHOLE_LOSS)
        for move in reviews
        if len(legal_moves(states[move.index])) > 1
    ]
    return sum(shares) / len(shares) if shares else None


def card_name(card: Card) -> str:
    """The name of a card: "the jack of spades"."""
    return f"the {_RANKS.get(card.rank, card.rank)} of {_SUITS[card.suit]}"


def describe_move(state: State, move: Move) -> str:
    """A move as a gerund: "fighting the jack of spades bare-handed"."""
    card = move.card
    if card is None:
        return "avoiding the room"
    if move.action is Action.EQUIP:
        return f"taking up {card_name(card)}"
    if move.action is Action.DRINK:
        verb = "wasting" if state.potion_used else "drinking"
        return f"{verb} {card_name(card)}"
    if move.armed and state.weapon is not None:
        return f"fighting {card_name(card)} with {card_name(state.weapon)}"
    return f"fighting {card_name(card)} bare-handed"


def describe_turning_point(
    state: State, move: Move, better: Move | None, values: tuple[int, int]
) -> str:
    """What a move lost; `values` are the best scores possible before and after it."""
    before, after = values
    opening = f"Move {state.index + 1}: {describe_move(state, move)} "
    lost = "1 point" if before - after == 1 else f"{before - after} points"
    possible = str(before)
    if before > 0 >= after:
        sentence = "lost the dungeon here."
        possible = f"a clearance of {before}"
    elif before > 0:
        sentence = f"cost {lost}; the best score still possible was {after}."
    else:
        sentence = f"made a lost run worse by {lost}."
    if better is None:
        return opening + sentence
    instead = describe_move(state, better)
    instead = instead[0].upper() + instead[1:]
    return f"{opening}{sentence} {instead} would have kept {possible} possible."
