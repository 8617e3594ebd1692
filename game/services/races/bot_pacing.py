"""When bots and ghosts make their next move. `bot_moves` chooses and plays it.

A bot's pause is derived from the race, the seat and the move's index, so it is the same
in every process.
"""

import hashlib
from datetime import datetime, timedelta

from game.models import Entrant, Move

# Milliseconds between two moves of a bot: the pace of an experienced player.
MIN_PAUSE_MS, MAX_PAUSE_MS = 1800, 5200
# Longer than a claim of a move lasts: a turn that is further ahead was set by a clock
# that has been set back.
CLOCK_SLACK = timedelta(seconds=30)


def first_move_at(entrant: Entrant, starts_at: datetime) -> datetime | None:
    """When a bot or ghost makes its first move; None for players."""
    return next_move_at(entrant, 0, starts_at, starts_at)


def next_move_at(
    entrant: Entrant, index: int, last_at: datetime, starts_at: datetime
) -> datetime | None:
    """When the entrant makes the move of that index, its last move being at `last_at`.

    A ghost keeps the times of its recorded run; None if that run has no such move.
    """
    if entrant.kind == Entrant.Kind.BOT:
        return last_at + timedelta(milliseconds=_pause_ms(entrant, index))
    if entrant.ghost is None:
        return None
    recorded = Move.objects.filter(run_id=entrant.ghost_id, index=index).first()
    if recorded is None:
        return None
    return max(last_at, starts_at + (recorded.at - entrant.ghost.started_at))


def turn_after_set_back(entrant: Entrant, index: int, at: datetime) -> datetime | None:
    """When the move of that index is due if the clock was set back, else None.

    No pause is longer than that before the move; a later turn was computed by a clock
    that has been set back since.
    """
    if entrant.turn_at is None:
        return None
    longest = _longest_pause(entrant, index)
    return at + longest if entrant.turn_at > at + longest + CLOCK_SLACK else None


def _longest_pause(entrant: Entrant, index: int) -> timedelta:
    if entrant.ghost is None:
        return timedelta(milliseconds=MAX_PAUSE_MS)
    rows = Move.objects.filter(run_id=entrant.ghost_id, index__in=(index - 1, index))
    times = list(rows.order_by("index").values_list("at", flat=True))
    if not times:
        return timedelta()
    return times[-1] - (times[0] if index else entrant.ghost.started_at)


def _pause_ms(entrant: Entrant, index: int) -> int:
    digest = hashlib.sha256(f"{entrant.race_id}:{entrant.seat}:{index}".encode())
    spread = int.from_bytes(digest.digest()[:4], "big")
    return MIN_PAUSE_MS + spread % (MAX_PAUSE_MS - MIN_PAUSE_MS)
