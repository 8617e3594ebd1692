"""A signal that runs were played with the order of the cards known. Never a verdict.

The measure asks of each room how much the way taken gave away, in points, with the
order known: in the true order, and in shuffled ones that were as possible to the
player. The true order is ranked among the shuffled by that. Whoever does not know it,
however well or badly he plays, gets every rank equally often, for to him the true order
is one more shuffle. Whoever knows it gives away little in the true order, by ways that
would cost much in others, and his ranks run high. Ranks add up over rooms and runs.

Calibration: tests/bench/players_screening.py; figures and limits:
docs/analysis-code.md.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.par import Progress
from game.analysis.players import Chance, View, view_of
from game.analysis.players.reference import futures_of
from game.analysis.solver.position import Position, weapon_code
from game.analysis.solver.search import Search
from game.analysis.solver.solve import Budget, bound_of
from game.analysis.solver.terms import ONE, Terms, code_of, terms_of
from game.rules import Card, Move, Ruleset, State, apply, parse_move, start

SCREENING_VERSION: Final = "1"
FUTURES: Final = 9
# Positions opened for each value. Any fixed function of the order keeps the ranks fair;
# a deeper search only makes them tell more.
DEPTH: Final = 400
# From the calibration: what the covariance of the ranks inside a run leaves of their
# variance (points are lost once), and how far honest accounts stay below, all but 1 in
# 10,000.
COVARIANCE: Final = 0.7
FLAG_AT: Final = 4.0
FEWEST_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class RoomLuck:
    """How the true order ranked for the way taken from a room: -0.5 worst, 0.5 best.

    `index`: of the first move in that room. `variance`: of the rank, were any of these
    orders the true one; 0 where the way costs the same in all.
    """

    index: int
    rank: float
    variance: float


@dataclass(frozen=True, slots=True)
class Signal:
    """One run's ranks, over the rooms where something was still hidden."""

    version: str
    rooms: tuple[RoomLuck, ...]

    @property
    def luck(self) -> float:
        """The ranks added up: 0 on average for whoever does not know the order."""
        return sum(room.rank for room in self.rooms)

    @property
    def variance(self) -> float:
        """Of `luck`, for whoever does not know the order."""
        return COVARIANCE * sum(room.variance for room in self.rooms)


@dataclass(frozen=True, slots=True)
class Standing:
    """An account's runs together.

    `deviations`: standard deviations above what play without knowledge gives.
    `flagged`: worth a moderator's look.
    """

    runs: int
    rooms: int
    luck: float
    deviations: float
    flagged: bool


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
    door = state = start(ruleset, deck, difficulty)
    terms = terms_of(ruleset, state.cap)
    lucks = []
    for number, text in enumerate(moves, start=1):
        state, _ = apply(state, parse_move(text))
        if state.status != "playing":
            break
        if state.faced_in_room == 0:
            view = view_of(door)
            if view.unseen_left and len(view.room) == 4:
                lucks.append(_luck(door, view, state, terms))
            door = state
        if progress:
            progress(number, len(moves))
    return Signal(SCREENING_VERSION, tuple(lucks))


def standing(signals: Iterable[Signal]) -> Standing:
    """All of an account's screened runs together: no picking of the lucky ones."""
    every = list(signals)
    rooms = sum(len(signal.rooms) for signal in every)
    luck = sum(signal.luck for signal in every)
    variance = sum(signal.variance for signal in every)
    deviations = luck / math.sqrt(variance) if variance else 0.0
    flagged = len(every) >= FEWEST_RUNS and deviations >= FLAG_AT
    return Standing(len(every), rooms, luck, deviations, flagged)


def _luck(door: State, view: View, after: State, terms: Terms) -> RoomLuck:
    text = f"screening/{SCREENING_VERSION}/{door.index}/{'/'.join(door.room)}"
    orders = [
        bytes(map(code_of, door.dungeon)),
        *futures_of(view, Chance(text), FUTURES),
    ]
    costs = [_given_away(view, after, pile, terms) for pile in orders]
    ranks = [rank_of(cost, costs) for cost in costs]
    variance = sum(rank * rank for rank in ranks) / len(ranks)
    return RoomLuck(door.index, ranks[0], variance)


def rank_of(cost: int, costs: Sequence[int]) -> float:
    """Where one of the costs stands: 0.5 below all others, -0.5 above; ties half."""
    dearer = sum(other > cost for other in costs)
    level = sum(other == cost for other in costs) - 1
    return (dearer + level / 2) / (len(costs) - 1) - 0.5


def _given_away(view: View, after: State, pile: bytes, terms: Terms) -> int:
    """What the way from the view to `after` costs, were the pile so: points, >= 0."""
    room = bytes(map(code_of, view.room))
    door = Position(
        terms, room + pile, 4, 3, view.health, view.weapon, False, view.may_avoid
    )
    before = _value(door, 1_000)
    if not before:
        return 0
    avoided = after.avoided_last
    cards = pile + room if avoided else ONE[code_of(after.room[0])] + pile
    size = min(4, len(cards))
    there = Position(
        terms,
        cards,
        size,
        3 if size == 4 else size,
        after.health,
        weapon_code(after),
        False,
        terms.avoid and not avoided and len(cards) > 4,
    )
    return before - _value(there, before)


def _value(position: Position, ceiling: int) -> int:
    """The best clearance a short search finds, up to the ceiling; 0 for none."""
    search = Search(position, 0, min(ceiling, bound_of(position)), deaths=False)
    search.run(Budget(max_states=DEPTH).may_go_on)
    return min(search.best, ceiling)
