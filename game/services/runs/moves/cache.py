"""Runs of races after their last move in this process, so the next move need not read.

An entry may be outdated. A move that uses one is written only if the run still has the
entry's index and snapshot; otherwise the run is read. The entry's other values (owner,
dungeon, seat) do not change while a run is played.
"""

import threading
from collections import OrderedDict
from typing import NamedTuple

from game.rules import State
from game.selectors.runs.runs import RunRow

# More than the number of race runs that are in progress at once.
MAX_KNOWN_RUNS = 4096


class KnownRun(NamedTuple):
    """A run's row, its seat in the race, and its position."""

    row: RunRow
    seat: int
    state: State


class KnownRuns:
    """Runs by (race id, account id); drops the least recently used one when full."""

    def __init__(self) -> None:
        self._runs: OrderedDict[tuple[str, str], KnownRun] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._runs)

    def at(self, who: tuple[str, str], index: int) -> KnownRun | None:
        """The run if it is cached with that many moves."""
        known = self._runs.get(who)
        return known if known is not None and known.row.index == index else None

    def keep(self, who: tuple[str, str], known: KnownRun) -> None:
        """Add a run, or replace its entry."""
        with self._lock:
            self._runs[who] = known
            self._runs.move_to_end(who)
            if len(self._runs) > MAX_KNOWN_RUNS:
                self._runs.popitem(last=False)

    def forget(self, who: tuple[str, str]) -> None:
        """Remove a run, if it is cached."""
        with self._lock:
            self._runs.pop(who, None)


known_runs = KnownRuns()
