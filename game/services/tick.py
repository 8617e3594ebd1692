"""All that is due, in one idempotent act. Celery beat calls it each 15 seconds.

Work is derived from the database alone, so a broker that forgets its messages, two
beats or none give the same result.
"""

from datetime import datetime

from game.services.leaving import guests_prune, leftovers_prune
from game.services.runs import runs_expire


def tick(*, at: datetime) -> dict[str, int]:
    """Do what is due at that instant; what was done, by name, as counts."""
    return {
        "runs_expired": runs_expire(at=at),
        "guests_pruned": guests_prune(at=at),
        "leftovers_pruned": leftovers_prune(at=at),
    }
