"""Suspicious patterns of times and results. They flag play for review, nothing more.

The thresholds are far from human play, so that few honest players are flagged: a fast
player with hotkeys takes some 400 ms a move, with a spread of half the mean.
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


class HeadToHead(NamedTuple):
    """Rated races of two accounts: won by the first, forfeited by the second."""

    races: int
    won: int
    given_up: int

    @property
    def is_one_sided(self) -> bool:
        """Whether the first wins nearly all and the second forfeits most."""
        return self.is_all_won and self.given_up >= FORFEITED_SHARE * self.races

    @property
    def is_all_won(self) -> bool:
        """Whether the first wins nearly all. A difference in skill can do that, too."""
        return self.races >= MIN_RACES and self.won >= ONE_SIDED_SHARE * self.races


def head_to_head(results: Sequence[tuple[bool, bool]]) -> HeadToHead:
    """From (the first won, the second forfeited) of each race."""
    return HeadToHead(
        len(results), sum(won for won, _ in results), sum(gone for _, gone in results)
    )
