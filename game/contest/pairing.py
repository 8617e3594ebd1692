"""Pairs queued players by rating, within a window that widens with the waiting time.

Players whose last match the opponent left are paired first, then those who have waited
longest. Linked accounts are paired only if nobody else is there for one of them; their
match is unrated.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

INITIAL_WINDOW: Final = 100.0
WINDOW_GROWTH_PER_S: Final = 15.0
UNLIMITED_AFTER_S: Final = 45.0
OFFER_LIFETIME: Final = timedelta(seconds=20)
BOT_OFFER_AFTER: Final = timedelta(seconds=20)
# Linked accounts are offered to each other once one of them has waited this long.
LINKED_AFTER_S: Final = 20.0
REPEAT_COOLDOWN: Final = timedelta(minutes=10)


class QueuedPlayer(NamedTuple):
    """A player in the queue.

    `lately` are accounts they raced within REPEAT_COOLDOWN, `apart` accounts they must
    not be paired with (blocks, declined offers), `linked` those that may be the same
    person's, if the match would be rated otherwise.
    `is_first`: the opponent left their last match.
    """

    ticket: str
    account: str
    rating: float
    waited_s: float
    lately: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    is_first: bool = False
    linked: frozenset[str] = frozenset()


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
    waiting = sorted(queue, key=_priority)
    are_only_two = len(waiting) == 2
    pairs = _pair(waiting, are_only_two=are_only_two, is_linked=False)
    return pairs + _pair(waiting, are_only_two=are_only_two, is_linked=True)


def _priority(player: QueuedPlayer) -> tuple[bool, float, str]:
    return not player.is_first, -player.waited_s, player.ticket


def _pair(
    waiting: list[QueuedPlayer], *, are_only_two: bool, is_linked: bool
) -> list[tuple[QueuedPlayer, QueuedPlayer]]:
    """Take pairs out of `waiting` in its order: of linked accounts, or of others."""
    pairs = []
    for first in list(waiting):
        if first not in waiting or (is_linked and first.waited_s < LINKED_AFTER_S):
            continue
        candidates = [
            other
            for other in waiting
            if other is not first
            and abs(other.rating - first.rating) <= rating_window(first.waited_s)
            and other.account not in first.apart
            and (other.account in first.linked) == is_linked
            and (are_only_two or not _met_recently(first, other))
        ]
        if candidates:
            best = min(candidates, key=lambda other: abs(other.rating - first.rating))
            waiting.remove(first)
            waiting.remove(best)
            pairs.append((first, best))
    return pairs


def _met_recently(player: QueuedPlayer, other: QueuedPlayer) -> bool:
    return other.account in player.lately or player.account in other.lately
