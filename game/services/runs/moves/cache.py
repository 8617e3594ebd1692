"""Runs of races as this process last left them, so that the next move reads nothing.

A guess, never a fact: whoever goes by it writes only if the row still has that very
index and snapshot, and reads it otherwise. What is kept besides does not change while a
run is played (whose it is, its dungeon, its seat). Lives in this process's memory.
"""

import threading
from collections import OrderedDict
from typing import NamedTuple

from game.rules import State
from game.selectors.runs.runs import RunRow

# Runs that are being played right now.
_MOST = 4096


class KnownRun(NamedTuple):
    """A run's row, its seat in its race, and its position."""

    row: RunRow
    seat: int
    state: State


class _Runs:
    """By (race, account); the one that was longest unused goes first."""

    def __init__(self) -> None:
        self._runs: OrderedDict[tuple[str, str], KnownRun] = OrderedDict()
        self._lock = threading.Lock()

    def at(self, who: tuple[str, str], index: int) -> KnownRun | None:
        """The run, if it is known and stood at that index."""
        known = self._runs.get(who)
        return known if known is not None and known.row.index == index else None

    def keep(self, who: tuple[str, str], known: KnownRun) -> None:
        """Remember it."""
        with self._lock:
            self._runs[who] = known
            self._runs.move_to_end(who)
            if len(self._runs) > _MOST:
                self._runs.popitem(last=False)

    def forget(self, who: tuple[str, str]) -> None:
        """It is over, or was not as it was thought to be."""
        with self._lock:
            self._runs.pop(who, None)


known_runs = _Runs()
