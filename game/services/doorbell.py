"""Tells whoever watches that a race has a new event. Best effort, after the commit.

Nothing depends on it: the sweep of the race heads finds what was not rung for. The
wiring sets `bell`; without one, ringing does nothing.
"""

from collections.abc import Callable

# Called with (race id, seq), in whatever thread committed. It must raise nothing and
# wait for nothing.
bell: Callable[[str, int], None] | None = None


def ring(race_id: str, seq: int) -> None:
    """Say that the race has come to that number."""
    if bell is not None:
        bell(race_id, seq)
