"""Signals that an account's runs were played with knowledge of the card order.

For each room, compute how many points the player's path gave away: in the true order of
the unseen cards, and in shuffled orders that were equally possible to the player. Rank
the true order among the shuffled ones by that cost. For a player who does not know the
order, however strong, the true order is one more shuffle, so every rank is equally
likely. A player who knows it takes paths that cost little in the true order and would
cost much in others, so their ranks are high. Ranks are added up over rooms and runs.

A signal is a reason for a moderator to look, never a verdict. Calibration:
tests/bench/screening.py; numbers and limits: docs/analysis-code.md.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.assessment import Progress
from game.analysis.players import SeededRandom, View, view_of
from game.analysis.players.reference import sample_futures
from game.analysis.solver.encoding import ONE, SolverRules, code_of, solver_rules
from game.analysis.solver.position import Position, weapon_code
from game.analysis.solver.search import Search
from game.analysis.solver.solve import Budget, bound_of
from game.rules import Card, Move, Ruleset, State, apply, parse_move, start

SCREENING_VERSION: Final = "1"
FUTURES: Final = 9
# Positions expanded for each value. Ranks are fair for any fixed function of the order;
# a deeper search only makes them more informative.
DEPTH: Final = 400
# From the calibration. Ranks within a run are negatively correlated, because points are
# lost only once: the variance of their sum is this times the sum of their variances.
COVARIANCE: Final = 0.7
# Deviations that fewer than 1 in 10,000 honest accounts reach.
FLAG_AT: Final = 4.0
MIN_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class RoomLuck:
    """The rank of the true order for the path through a room: -0.5 worst, 0.5 best.

    `index`: the index of the first move in that room. `variance`: the variance of the
    rank if each of the orders is equally likely; 0 if the path costs the same in all.
    """

    index: int
    rank: float
    variance: float


@dataclass(frozen=True, slots=True)
class Signal:
    """The ranks of one run, for the full rooms in which cards were still unseen."""

    version: str
    rooms: tuple[RoomLuck, ...]

    @property
    def luck(self) -> float:
        """The sum of the ranks; its mean is 0 for play without knowing the order."""
        return sum(room.rank for room in self.rooms)

    @property
    def variance(self) -> float:
        """The variance of `luck` for a player who does not know the order."""
        return COVARIANCE * sum(room.variance for room in self.rooms)


@dataclass(frozen=True, slots=True)
class ScreeningSummary:
    """The signals of all of an account's screened runs together.

    `deviations`: how many standard deviations `luck` is above 0, its mean for players
    who do not know the order. `needs_review`: a moderator should look at the account.
    """

    runs: int
    rooms: int
    luck: float
    deviations: float
    needs_review: bool


def screen(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    progress: Progress | None = None,
) -> Signal:
    """Screen a run from its dungeon and moves. A few seconds of one core.

    Deterministic. `progress(done, total)` counts moves. Raises IllegalMove,
    MalformedMove.
    """
    room_start = state = start(ruleset, deck, difficulty)
    rules = solver_rules(ruleset, state.cap)
    lucks = []
    for number, text in enumerate(moves, start=1):
        state, _ = apply(state, parse_move(text))
        if state.status != "playing":
            break
        if state.faced_in_room == 0:
            view = view_of(room_start)
            if view.unseen_left and len(view.room) == 4:
                lucks.append(_room_luck(room_start, view, state, rules))
            room_start = state
        if progress:
            progress(number, len(moves))
    return Signal(SCREENING_VERSION, tuple(lucks))


def summarize_signals(signals: Iterable[Signal]) -> ScreeningSummary:
    """The summary of an account's signals; pass those of all its screened runs."""
    every = list(signals)
    rooms = sum(len(signal.rooms) for signal in every)
    luck = sum(signal.luck for signal in every)
    variance = sum(signal.variance for signal in every)
    deviations = luck / math.sqrt(variance) if variance else 0.0
    needs_review = len(every) >= MIN_RUNS and deviations >= FLAG_AT
    return ScreeningSummary(len(every), rooms, luck, deviations, needs_review)


def _room_luck(
    room_start: State, view: View, after: State, rules: SolverRules
) -> RoomLuck:
    text = (
        f"screening/{SCREENING_VERSION}/{room_start.index}/{'/'.join(room_start.room)}"
    )
    orders = [
        bytes(map(code_of, room_start.dungeon)),
        *sample_futures(view, SeededRandom(text), FUTURES),
    ]
    costs = [_points_lost(view, after, pile, rules) for pile in orders]
    ranks = [cost_rank(cost, costs) for cost in costs]
    variance = sum(rank * rank for rank in ranks) / len(ranks)
    return RoomLuck(room_start.index, ranks[0], variance)


def cost_rank(cost: int, costs: Sequence[int]) -> float:
    """The rank of a cost: 0.5 if all others are higher, -0.5 if lower; ties half."""
    higher = sum(other > cost for other in costs)
    equal = sum(other == cost for other in costs) - 1
    return (higher + equal / 2) / (len(costs) - 1) - 0.5


def _points_lost(view: View, after: State, pile: bytes, rules: SolverRules) -> int:
    """The points (>= 0) that going from the view to `after` loses with this pile."""
    room = bytes(map(code_of, view.room))
    before_room = Position(
        rules, room + pile, 4, 3, view.health, view.weapon, False, view.may_avoid
    )
    before = _value(before_room, 1_000)
    if not before:
        return 0
    avoided = after.avoided_last
    cards = pile + room if avoided else ONE[code_of(after.room[0])] + pile
    size = min(4, len(cards))
    after_room = Position(
        rules,
        cards,
        size,
        3 if size == 4 else size,
        after.health,
        weapon_code(after),
        False,
        rules.can_avoid and not avoided and len(cards) > 4,
    )
    return before - _value(after_room, before)


def _value(position: Position, ceiling: int) -> int:
    """The best clearance that a short search finds, at most the ceiling; 0 for none."""
    search = Search(position, 0, min(ceiling, bound_of(position)), finds_deaths=False)
    search.run(Budget(max_states=DEPTH).may_continue)
    return min(search.best, ceiling)
