"""When those who are no people play next. Paces only; choosing is `services.turns`.

A pause is derived from the run and the index, so that a restart changes nothing.
"""

import hashlib
from datetime import datetime, timedelta

from game.models import Entrant, Move

# Milliseconds between two moves of a house player: somebody who knows the game.
QUICKEST, SLOWEST = 1800, 5200


def first_turn(entrant: Entrant, starts_at: datetime) -> datetime | None:
    """When a house player or ghost makes its first move; None for people."""
    return next_turn(entrant, 0, starts_at, starts_at)


def next_turn(
    entrant: Entrant, index: int, last_at: datetime, starts_at: datetime
) -> datetime | None:
    """When it makes the move of that index, having moved last at `last_at`.

    A ghost keeps the times of its recorded run; None where that has no more moves.
    """
    if entrant.kind == Entrant.Kind.HOUSE:
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
    return QUICKEST + spread % (SLOWEST - QUICKEST)
