"""What the machine looks for in play, from times and results alone. Never a verdict.

The bounds are far from what people do, so that few are looked at for nothing: a quick
hand with hotkeys takes some 400 ms a move, and its pauses differ by half their mean.
"""

import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

FEWEST_MOVES: Final = 20
FAST_MS: Final = 250
REGULAR_SPREAD: Final = 0.08
FEWEST_MEETINGS: Final = 10
ONE_SIDED: Final = 0.9
GIVEN_UP: Final = 0.5


class Pace(NamedTuple):
    """How a run was played: moves, the median pause, the spread (deviation by mean)."""

    moves: int
    median_ms: int
    spread: float

    @property
    def is_fast(self) -> bool:
        """Quicker than hands are."""
        return self.moves >= FEWEST_MOVES and self.median_ms < FAST_MS

    @property
    def is_regular(self) -> bool:
        """Steadier than hands are."""
        return self.moves >= FEWEST_MOVES and self.spread < REGULAR_SPREAD


def pace_of(pauses_ms: Sequence[int]) -> Pace:
    """The pace of a run, from the pause before each of its moves."""
    if not pauses_ms:
        return Pace(0, 0, 1.0)
    mean = statistics.fmean(pauses_ms)
    spread = statistics.pstdev(pauses_ms) / mean if mean else 0.0
    return Pace(len(pauses_ms), round(statistics.median(pauses_ms)), spread)


class Meetings(NamedTuple):
    """How two accounts' rated races ended, as the one sees it."""

    races: int
    won: int
    given_up: int

    @property
    def is_one_sided(self) -> bool:
        """One wins nearly all, and the other gives most of them up."""
        return self.is_all_won and self.given_up >= GIVEN_UP * self.races

    @property
    def is_all_won(self) -> bool:
        """One wins nearly all. Between strangers skill does that too."""
        return self.races >= FEWEST_MEETINGS and self.won >= ONE_SIDED * self.races


def meetings_of(results: Sequence[tuple[bool, bool]]) -> Meetings:
    """From each race whether the one won, and whether the other gave up."""
    return Meetings(
        len(results), sum(won for won, _ in results), sum(gone for _, gone in results)
    )
