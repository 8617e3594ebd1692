"""Checks the invariants of all stored data; changes nothing.

Each module yields a `Breach` for each violated invariant; `breaches` runs all modules.
docs/operations.md lists the invariants by number.
"""

from collections.abc import Iterator
from datetime import datetime

from game.services.maintenance.invariants import (
    access,
    choices,
    commitments,
    dailies,
    moderation,
    points,
    races,
    ratings,
    runs,
    work,
)
from game.services.maintenance.invariants.breach import Breach

__all__ = ["Breach", "breaches"]


def breaches(*, at: datetime, solve_days: int = 0) -> Iterator[Breach]:
    """Every breach of every invariant; of I21 for the newest `solve_days` days only."""
    yield from runs.breaches()
    yield from races.breaches()
    yield from ratings.breaches()
    yield from dailies.breaches(at=at)
    yield from points.breaches()
    yield from commitments.breaches(at=at)
    yield from moderation.breaches()
    yield from work.breaches(at=at)
    yield from access.breaches(at=at)
    yield from choices.breaches(days=solve_days)
