"""Pairs queued players by rating, within a window that widens with the waiting time.

Players whose last match the opponent left are paired first, then those who have waited
longest.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

INITIAL_WINDOW: Final = 100.0
WINDOW_GROWTH_PER_S: Final = 15.0
UNLIMITED_AFTER_S: Final = 45.0
OFFER_LIFETIME: Final = timedelta(seconds=20)
BOT_OFFER_AFTER: Final = timedelta(seconds=20)
REPEAT_COOLDOWN: Final = timedelta(minutes=10)


class QueuedPlayer(NamedTuple):
    """A player in the queue.

    `lately` are accounts they raced within REPEAT_COOLDOWN, `apart` accounts they must
    not be paired with (blocks; for rated matches, accounts of the same browser).
    `is_first`: the opponent left their last match.
    """

    ticket: str
    account: str
    rating: float
    waited_s: float
    lately: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    is_first: bool = False


def rating_window(waited_s: float) -> float:
    """The largest allowed rating difference after that waiting time."""
    if waited_s >= UNLIMITED_AFTER_S:
        return float("inf")
    return INITIAL_WINDOW + WINDOW_GROWTH_PER_S * max(0.0, waited_s)


def find_pairs(
    queue: Sequence[QueuedPlayer],
) -> list[tuple[QueuedPlayer, QueuedPlayer]]:
    """The pairs to offer now; each ticket is in one at most.

    The longer of two waiting times decides the window. Recent opponents are paired
    again only if they are alone in the queue.
    """
    left = sorted(
        queue, key=lambda player: (not player.is_first, -player.waited_s, player.ticket)
    )
    alone_together = len(left) == 2
    pairs = []
    while left:
        first = left.pop(0)
        fit = [
            other
            for other in left
            if abs(other.rating - first.rating) <= rating_window(first.waited_s)
            and other.account not in first.apart
            and (alone_together or not _met_recently(first, other))
        ]
        if fit:
            best = min(fit, key=lambda other: abs(other.rating - first.rating))
            left.remove(best)
            pairs.append((first, best))
    return pairs


def _met_recently(player: QueuedPlayer, other: QueuedPlayer) -> bool:
    return other.account in player.lately or player.account in other.lately
