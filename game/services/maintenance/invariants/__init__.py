"""The laws that must hold of everything stored, checked by reading it all.

Each module yields a `Breach` for whatever breaks a law; `breaches` asks all of them.
Nothing is changed. The laws and their numbers: docs/operations.md.
"""

from collections.abc import Iterator
from datetime import datetime

from game.services.maintenance.invariants import (
    access,
    dailies,
    moderation,
    races,
    ratings,
    runs,
    work,
)
from game.services.maintenance.invariants.breach import Breach

__all__ = ["Breach", "breaches"]


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Every breach of every law, as it is found."""
    yield from runs.breaches()
    yield from races.breaches()
    yield from ratings.breaches()
    yield from dailies.breaches(at=at)
    yield from moderation.breaches()
    yield from work.breaches(at=at)
    yield from access.breaches(at=at)
