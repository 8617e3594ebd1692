"""When bots and ghosts make their next move. `bot_moves` chooses and plays it.

A bot's pause is derived from the race, the seat and the move's index, so it is the same
in every process.
"""

import hashlib
from datetime import datetime, timedelta

from game.models import Entrant, Move

# Milliseconds between two moves of a bot: the pace of an experienced player.
MIN_PAUSE_MS, MAX_PAUSE_MS = 1800, 5200


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


def _pause_ms(entrant: Entrant, index: int) -> int:
    digest = hashlib.sha256(f"{entrant.race_id}:{entrant.seat}:{index}".encode())
    spread = int.from_bytes(digest.digest()[:4], "big")
    return MIN_PAUSE_MS + spread % (MAX_PAUSE_MS - MIN_PAUSE_MS)
