"""The solver's public functions: the best score, and whether a win is possible.

Owns the two phases (wins first, then the best death) and the budgets. The clock is an
argument and is read only if a budget of seconds is given; only whether an answer is
proven can depend on it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from game.analysis.solver.bounds import remaining_cards, upper_bound
from game.analysis.solver.lines import line_to
from game.analysis.solver.position import Position, cards_of, position_of
from game.analysis.solver.search import Node, Search
from game.rules import Move, State, score

Clock = Callable[[], float]

# Below any death: a death scores at least -188 and the health below 0.
WORST: Final = -1_000


@dataclass(frozen=True, slots=True)
class Solution:
    """The best score reachable from a state, and a line of moves that reaches it.

    `is_proven`: no play scores more. Otherwise `best` is the best found within the
    budget, and the true best is in `best`..`bound`. `expanded` counts positions
    searched.
    """

    best: int
    is_proven: bool
    line: tuple[Move, ...]
    bound: int
    expanded: int


class Budget:
    """How long a search may continue: seconds on a given clock, positions, or both."""

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

    def may_continue(self, expanded: int) -> bool:
        """Whether a search that has expanded so many positions may expand more."""
        if self.max_states is not None and self.spent + expanded >= self.max_states:
            return False
        return self.ends_at is None or self.clock() < self.ends_at


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search. `end` is None if nothing beats `low`."""

    best: int
    is_proven: bool
    bound: int
    expanded: int
    end: Node | None


def bound_of(root: Position) -> int:
    """The upper bound of a position (L4)."""
    remaining = remaining_cards(root.cards, root.faces, root.potion_used)
    return upper_bound(remaining, root.health, root.weapon, root.rules)


def search_best(
    root: Position, budget: Budget, low: int | None = None, high: int | None = None
) -> SearchResult:
    """The best score from a position.

    `low`: a score known to be reachable; `high`: one known not to be beaten. Both only
    save work. If nothing beats `low`, the result is `low` without an end node.
    """
    floor = WORST if low is None else low
    bound = bound_of(root)
    top = bound if high is None else min(bound, high)
    expanded = 0
    no_win_left = top <= 0 or floor > 0
    if top > 0:
        wins = Search(root, max(floor, 0), top, finds_deaths=False)
        wins.run(budget.may_continue)
        expanded = wins.expanded
        budget.spent += expanded
        if wins.end is not None or floor > 0:
            best = wins.best
            proven = not wins.was_cut
            return SearchResult(
                best, proven, best if proven else top, expanded, wins.end
            )
        no_win_left = not wins.was_cut
    if no_win_left:
        top = min(top, 0)
    if floor >= top:
        return SearchResult(floor, True, floor, expanded, None)
    losses = Search(root, floor, top, finds_deaths=True)
    losses.run(budget.may_continue)
    budget.spent += losses.expanded
    proven = not losses.was_cut and (no_win_left or losses.best >= top)
    bound = losses.best if proven else top
    return SearchResult(
        losses.best, proven, bound, expanded + losses.expanded, losses.end
    )


def solve(
    state: State,
    budget_s: float | None = None,
    *,
    max_states: int | None = None,
    clock: Clock = time.monotonic,
) -> Solution:
    """The best score reachable from a state, knowing the whole dungeon.

    Without a budget the result is proven. With one (seconds, positions expanded, or
    both) it is the best score found; there is always a result, within tens of
    milliseconds of the budget. For a run that is over: its score and an empty line.
    """
    final_score = score(state)
    if final_score is not None:
        return Solution(final_score, True, (), final_score, 0)
    root = position_of(state)
    result = search_best(root, Budget(budget_s, max_states, clock))
    assert result.end is not None, "without a known score, some end is always found"
    line = line_to(root, cards_of(state), result.end, result.best)
    return Solution(result.best, result.is_proven, line, result.bound, result.expanded)


def is_winnable(
    state: State,
    budget_s: float | None = None,
    *,
    max_states: int | None = None,
    clock: Clock = time.monotonic,
) -> bool | None:
    """Whether some play clears the dungeon; None if the budget ended first."""
    final_score = score(state)
    if final_score is not None:
        return state.status == "cleared"
    root = position_of(state)
    bound = bound_of(root)
    if bound <= 0:
        return False
    search = Search(root, 0, bound, finds_deaths=False)
    search.run(Budget(budget_s, max_states, clock).may_continue, goal=1)
    if search.end is not None:
        return True
    return None if search.was_cut else False
