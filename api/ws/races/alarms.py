"""Alarms: waking at the instant when time changes a race, and never before it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from api.ws.races.watch import Watch

# Whoever made a race overdue by what he did is most often about to see to it.
LEAVE_S = 0.25


class Alarms:
    """One timer a watched race; `on_due(watch)` is called when it is due."""

    def __init__(self, on_due: Callable[[Watch], None]) -> None:
        self._on_due = on_due

    def set(self, watch: Watch) -> None:
        """Wake when time will next change the race: its start, its deadline."""
        due_at = watch.news.due_at
        if watch.timer is not None and watch.alarm_at == due_at:
            return
        self.clear(watch)
        if due_at is None:
            return
        left = (due_at - datetime.now(UTC)).total_seconds()
        if left < 0:
            if watch.was_due == due_at:
                return  # done, or being done by another; the sweep looks after it
            left = LEAVE_S
        watch.alarm_at = due_at
        watch.timer = asyncio.get_running_loop().call_later(left, self._ring, watch)

    def clear(self, watch: Watch) -> None:
        """Do not wake."""
        if watch.timer is not None:
            watch.timer.cancel()
            watch.timer = None

    def hear(self, watch: Watch, due_at: datetime | None) -> None:
        """The race itself says when it is due: it may be other than was thought."""
        if due_at != watch.news.due_at:
            watch.news = watch.news._replace(due_at=due_at)
            self.set(watch)
        elif due_at is not None and watch.timer is None and due_at <= datetime.now(UTC):
            self._ring(watch)

    def _ring(self, watch: Watch) -> None:
        watch.timer = None
        due_at = watch.news.due_at
        if due_at is None:
            return
        # The loop's clock may run ahead of the system's: never early.
        if datetime.now(UTC) < due_at:
            self.set(watch)
            return
        watch.was_due = due_at
        self._on_due(watch)
