"""The questions asked of the solver: the best score, and whether a win is left.

Owns the two phases (wins first, then the least bad death) and the budgets. The clock is
an argument, read only while a budget of seconds is running; its default is the one
place on this floor that names a clock, and no answer but an unproven one depends on it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from game.analysis.solver.bounds import left_of, upper_bound
from game.analysis.solver.position import Position, cards_of, position_of
from game.analysis.solver.search import Search
from game.analysis.solver.spots import Node
from game.analysis.solver.witness import line_to
from game.rules import Move, State, score

Clock = Callable[[], float]

# Below any death: 188 monster points and the last blow.
WORST: Final = -1_000


@dataclass(frozen=True, slots=True)
class Solution:
    """The best score reachable from a state, and a line of moves that reaches it.

    `proven`: no play scores more. Otherwise `best` is the best found within the budget
    and the truth lies in `best`..`bound`. `opened` counts positions searched.
    """

    best: int
    proven: bool
    line: tuple[Move, ...]
    bound: int
    opened: int


class Budget:
    """How long a search may go on: seconds on a given clock, positions, or both."""

    def __init__(
        self,
        budget_s: float | None = None,
        max_states: int | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.clock = clock
        self.ends_at = None if budget_s is None else clock() + budget_s
        self.max_states = max_states
        self.spent = 0

    def may_go_on(self, opened: int) -> bool:
        """Whether a search that has opened so many positions may open more."""
        if self.max_states is not None and self.spent + opened >= self.max_states:
            return False
        return self.ends_at is None or self.clock() < self.ends_at


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to. `end` is None where `low` was not beaten."""

    best: int
    proven: bool
    bound: int
    opened: int
    end: Node | None


def bound_of(root: Position) -> int:
    """The upper bound of a position (L4)."""
    left = left_of(root.cards, root.faces, root.drank)
    return upper_bound(left, root.health, root.weapon, root.terms)


def search_best(
    root: Position, budget: Budget, low: int | None = None, high: int | None = None
) -> Found:
    """The best score from a position.

    `low`: a score known to be reachable; `high`: one known not to be beaten. Both only
    spare work; where nothing beats `low` the answer is `low`, with no end node.
    """
    floor = WORST if low is None else low
    bound = bound_of(root)
    top = bound if high is None else min(bound, high)
    opened = 0
    won_out = top <= 0 or floor > 0
    if top > 0:
        wins = Search(root, max(floor, 0), top, deaths=False)
        wins.run(budget.may_go_on)
        opened = wins.opened
        budget.spent += opened
        if wins.end is not None or floor > 0:
            best = wins.best
            proven = not wins.cut
            return Found(best, proven, best if proven else top, opened, wins.end)
        won_out = not wins.cut
    if won_out:
        top = min(top, 0)
    if floor >= top:
        return Found(floor, True, floor, opened, None)
    losses = Search(root, floor, top, deaths=True)
    losses.run(budget.may_go_on)
    budget.spent += losses.opened
    proven = not losses.cut and (won_out or losses.best >= top)
    bound = losses.best if proven else top
    return Found(losses.best, proven, bound, opened + losses.opened, losses.end)


def solve(
    state: State,
    budget_s: float | None = None,
    *,
    max_states: int | None = None,
    clock: Clock = time.monotonic,
) -> Solution:
    """The best score reachable from a state, knowing the whole dungeon.

    Without a budget the answer is proved. A budget (seconds, positions opened, or both)
    gives the best score found and says so; some answer always comes, within tens of
    milliseconds of the budget. For a run that is over: its score, and no line.
    """
    done = score(state)
    if done is not None:
        return Solution(done, True, (), done, 0)
    root = position_of(state)
    found = search_best(root, Budget(budget_s, max_states, clock))
    assert found.end is not None, "without a known score, some end is always found"
    line = line_to(root, cards_of(state), found.end, found.best)
    return Solution(found.best, found.proven, line, found.bound, found.opened)


def winnable(
    state: State,
    budget_s: float | None = None,
    *,
    max_states: int | None = None,
    clock: Clock = time.monotonic,
) -> bool | None:
    """Whether some play clears the dungeon; None where a budget ended first."""
    done = score(state)
    if done is not None:
        return state.status == "cleared"
    root = position_of(state)
    bound = bound_of(root)
    if bound <= 0:
        return False
    search = Search(root, 0, bound, deaths=False)
    search.run(Budget(budget_s, max_states, clock).may_go_on, goal=1)
    if search.end is not None:
        return True
    return None if search.cut else False
