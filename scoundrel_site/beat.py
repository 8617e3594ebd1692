"""The scheduler of Celery beat, by a clock that is never set.

Celery computes what is due from the time of day. If that is set back by 20 minutes, its
scheduler sends nothing for 20 minutes. This one measures intervals with the monotonic
clock.
"""

import time
from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry
from celery.schedules import schedstate


class MonotonicEntry(ScheduleEntry):
    """An entry that is due its interval after it last ran, and at once at the start."""

    def __init__(self, *args: Any, ran_at: float | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        # Seconds of the monotonic clock; None if it has not run in this process.
        self.ran_at = ran_at

    def __next__(self, last_run_at: Any = None) -> "MonotonicEntry":
        entry: Any = super().__next__()
        entry.ran_at = time.monotonic()
        return entry  # type: ignore[no-any-return]

    next = __next__

    def is_due(self) -> schedstate:
        """Whether to run it now, and in how many seconds to ask again."""
        every = getattr(self.schedule, "run_every", None)
        if every is None:  # a time of day
            return schedstate(*super().is_due())
        interval_s = every.total_seconds()
        if self.ran_at is None:
            return schedstate(True, interval_s)
        left_s = self.ran_at + interval_s - time.monotonic()
        return schedstate(left_s <= 0, interval_s if left_s <= 0 else left_s)


class MonotonicScheduler(PersistentScheduler):
    """Orders its entries by the monotonic clock."""

    Entry = MonotonicEntry

    def _when(self, _: ScheduleEntry, next_time_to_run: float, *__: Any) -> float:
        return time.monotonic() + (next_time_to_run or 0)
