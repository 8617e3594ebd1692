"""Whether an opponent in the same race had been shown the cards before the winner.

An accomplice can hurry through the dungeon and tell the winner the coming cards. That
alone proves nothing: a careful player is behind a hasty one. So it selects accounts
whose runs are screened for knowledge of the order, and raises no flag itself.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

# The cards that everybody is shown at the start, and those of two such rooms.
ROOM: Final = 4
AHEAD_BY: Final = 2 * ROOM
AHEAD_SHARE: Final = 0.7
MIN_MOVES: Final = 10
# An account with this many such wins in 30 days is screened.
MIN_SCOUTED_WINS: Final = 3


class ShownMove(NamedTuple):
    """A move of a race, in order of time; `shown` is how many positions of the deck the
    seat has been shown after it.
    """

    seat: int
    shown: int


def is_scouted(winner: int, moves: Iterable[ShownMove]) -> bool:
    """Whether an opponent was ahead by AHEAD_BY cards at most of the winner's moves."""
    shown: dict[int, int] = {}
    total = ahead = 0
    for move in moves:
        if move.seat == winner:
            others = [count for seat, count in shown.items() if seat != winner]
            own = shown.get(winner, ROOM)
            total += 1
            ahead += max(others, default=0) - own >= AHEAD_BY
        shown[move.seat] = max(move.shown, shown.get(move.seat, 0))
    return total >= MIN_MOVES and ahead >= AHEAD_SHARE * total
