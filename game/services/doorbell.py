"""Tells whoever watches that a race has a new event. Best effort, after the commit.

Nothing depends on it: the sweep of the race heads finds what was not rung for. The
wiring sets `bell`; without one, ringing does nothing.
"""

from collections.abc import Callable

from game.selectors.races import KnownEvent

# Called with (race id, seq, the event itself or None), in whatever thread committed. It
# must raise nothing and wait for nothing. The event is whole: for `event_for` alone.
bell: Callable[[str, int, KnownEvent | None], None] | None = None


def ring(race_id: str, seq: int, event: KnownEvent | None = None) -> None:
    """Say that the race has come to that number, by that event if it is at hand."""
    if bell is not None:
        bell(race_id, seq, event)
