"""Suspicious paces of play. They flag play for review, nothing more.

The thresholds are far from human play, so that few honest players are flagged: a fast
player with hotkeys takes some 400 ms a move, with a spread of half the mean.
"""

import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

MIN_MOVES: Final = 20
MIN_HUMAN_PAUSE_MS: Final = 250
MIN_HUMAN_SPREAD: Final = 0.08


class Pace(NamedTuple):
    """The pace of a run: moves, median pause, spread (standard deviation / mean)."""

    moves: int
    median_ms: int
    spread: float

    @property
    def is_fast(self) -> bool:
        """Whether the moves are faster than a human's."""
        return self.moves >= MIN_MOVES and self.median_ms < MIN_HUMAN_PAUSE_MS

    @property
    def is_regular(self) -> bool:
        """Whether the pauses are more regular than a human's."""
        return self.moves >= MIN_MOVES and self.spread < MIN_HUMAN_SPREAD


def measure_pace(pauses_ms: Sequence[int]) -> Pace:
    """The pace of a run, from the pause before each move."""
    if not pauses_ms:
        return Pace(0, 0, 1.0)
    mean = statistics.fmean(pauses_ms)
    spread = statistics.pstdev(pauses_ms) / mean if mean else 0.0
    return Pace(len(pauses_ms), round(statistics.median(pauses_ms)), spread)
