"""Places of a race. Pages, ratings and boards all use this order.

Cleared runs come first, then higher scores; `speed` puts the time before the score.
Equal results share a place and the next place is skipped (1-2-2-4). Disqualified
entrants have no place and take none from others.
"""

from collections.abc import Sequence
from typing import NamedTuple

from game.contest.race import Format


class EntrantResult(NamedTuple):
    """An entrant's result; `elapsed_ms` is the time from start to end of the run."""

    seat: int
    is_cleared: bool
    score: int
    elapsed_ms: int
    is_disqualified: bool = False


def placing_key(form: Format, result: EntrantResult) -> tuple[int, ...]:
    """The sort key, smaller is better; equal keys share a place.

    Cleared runs come before all others, even in a ruleset where a death can score 0. In
    `speed`, cleared runs are ordered by whole seconds, then by score.
    """
    if result.is_disqualified:
        return (2,)
    if not result.is_cleared:
        return (1, -result.score)
    if form is Format.SPEED:
        return (0, result.elapsed_ms // 1000, -result.score)
    return (0, -result.score)


def assign_places(
    form: Format, results: Sequence[EntrantResult]
) -> dict[int, int | None]:
    """The place of each seat, from 1; None for disqualified entrants."""
    keys = {result.seat: placing_key(form, result) for result in results}
    return {
        result.seat: None
        if result.is_disqualified
        else 1 + sum(other < keys[result.seat] for other in keys.values())
        for result in results
    }
