"""Beat's intervals do not depend on the time of day."""

from datetime import timedelta
from typing import Any

import pytest
from celery import Celery
from celery.schedules import schedule
from django.utils import timezone

from scoundrel_site import beat


class Clocks:
    """A monotonic clock and a time of day that a test sets."""

    def __init__(self) -> None:
        self.monotonic_s, self.ahead = 1000.0, timedelta()

    def monotonic(self) -> float:
        return self.monotonic_s


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    found = Clocks()
    monkeypatch.setattr("scoundrel_site.beat.time.monotonic", found.monotonic)
    return found


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(
        beat.MonotonicScheduler,
        "apply_entry",
        lambda _, entry, **__: found.append(entry.name),
    )
    monkeypatch.setattr(beat.MonotonicScheduler, "producer", None)
    return found


@pytest.mark.parametrize("step", [timedelta(minutes=-20), timedelta(days=-1)])
def test_clock_set_back_stops_no_entry(
    clocks: Clocks,
    sent: list[str],
    step: timedelta,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Celery("test", set_as_current=False)
    monkeypatch.setattr(app, "now", lambda: timezone.now() + clocks.ahead)
    app.conf.beat_schedule = {
        "tick": {"task": "tick", "schedule": schedule(15.0, app=app)},
        "races": {"task": "races", "schedule": schedule(1.0, app=app)},
    }
    scheduler = beat.MonotonicScheduler(app, schedule_filename=str(tmp_path / "beat"))

    def run_for(seconds: int) -> None:
        for _ in range(seconds):
            while scheduler.tick() == 0:
                pass
            clocks.monotonic_s += 1.0

    try:
        run_for(30)
        assert (sent.count("tick"), sent.count("races")) == (2, 30)
        clocks.ahead = step
        run_for(30)
        assert (sent.count("tick"), sent.count("races")) == (4, 60)
    finally:
        scheduler.close()
