"""What the machine looks for in play, from times and results alone. Never a verdict.

The bounds are far from what people do, so that few are looked at for nothing: a quick
hand with hotkeys takes some 400 ms a move, and its pauses differ by half their mean.
"""

import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

MIN_MOVES: Final = 20
MIN_HUMAN_PAUSE_MS: Final = 250
MIN_HUMAN_SPREAD: Final = 0.08
MIN_RACES: Final = 10
ONE_SIDED_SHARE: Final = 0.9
FORFEITED_SHARE: Final = 0.5


class Pace(NamedTuple):
    """How a run was played: moves, the median pause, the spread (deviation by mean)."""

    moves: int
    median_ms: int
    spread: float

    @property
    def is_fast(self) -> bool:
        """Quicker than hands are."""
        return self.moves >= MIN_MOVES and self.median_ms < MIN_HUMAN_PAUSE_MS

    @property
    def is_regular(self) -> bool:
        """Steadier than hands are."""
        return self.moves >= MIN_MOVES and self.spread < MIN_HUMAN_SPREAD


def measure_pace(pauses_ms: Sequence[int]) -> Pace:
    """The pace of a run, from the pause before each of its moves."""
    if not pauses_ms:
        return Pace(0, 0, 1.0)
    mean = statistics.fmean(pauses_ms)
    spread = statistics.pstdev(pauses_ms) / mean if mean else 0.0
    return Pace(len(pauses_ms), round(statistics.median(pauses_ms)), spread)


class HeadToHead(NamedTuple):
    """How two accounts' rated races ended, as the one sees it."""

    races: int
    won: int
    given_up: int

    @property
    def is_one_sided(self) -> bool:
        """One wins nearly all, and the other gives most of them up."""
        return self.is_all_won and self.given_up >= FORFEITED_SHARE * self.races

    @property
    def is_all_won(self) -> bool:
        """One wins nearly all. Between strangers skill does that too."""
        return self.races >= MIN_RACES and self.won >= ONE_SIDED_SHARE * self.races


def head_to_head(results: Sequence[tuple[bool, bool]]) -> HeadToHead:
    """From each race whether the one won, and whether the other gave up."""
    return HeadToHead(
        len(results), sum(won for won, _ in results), sum(gone for _, gone in results)
    )
