"""The state of the periodic jobs for staff: what is due, ran, failed, and the lag."""

from datetime import datetime, timedelta
from typing import Any

from game.contest.calendar import PUBLISH_AHEAD_DAYS, day_of
from game.models import Daily, Job, Run
from game.selectors.core.times import as_text, elapsed_ms

# Celery beat calls every 15 seconds; no call for this long is a fault.
QUIET_AFTER = timedelta(minutes=2)


def jobs_show(*, at: datetime) -> dict[str, Any]:
    """{at, lag_ms, is_quiet, due, jobs}: plain values for a page."""
    jobs = list(Job.objects.order_by("name"))
    last = max((job.began_at for job in jobs), default=None)
    return {
        "at": as_text(at),
        "last_tick_at": as_text(last),
        "lag_ms": None if last is None else elapsed_ms(last, at),
        "is_quiet": last is None or at - last > QUIET_AFTER,
        "due": _due(at),
        "jobs": [_job_show(job, at) for job in jobs],
    }


def _job_show(job: Job, at: datetime) -> dict[str, Any]:
    return {
        "name": job.name,
        "began_at": as_text(job.began_at),
        "took_ms": job.took_ms,
        "done": job.done,
        "worked_at": as_text(job.worked_at),
        "failed_at": as_text(job.failed_at),
        "failure": job.failure,
        "failures": job.failures,
        "is_failing": job.failed_at == job.began_at,
        "lag_ms": elapsed_ms(job.began_at, at),
    }


def _due(at: datetime) -> dict[str, Any]:
    today = day_of(at)
    settle = Daily.objects.filter(Daily.settlement_due(at))
    oldest = settle.order_by("settles_at").first()
    ahead = Daily.objects.filter(on__gt=today)
    return {
        "dailies_to_settle": settle.count(),
        "settling_late_ms": elapsed_ms(oldest.settlement_due_at, at) if oldest else 0,
        "days_drawn_ahead": ahead.values("on").distinct().count(),
        "days_wanted_ahead": PUBLISH_AHEAD_DAYS,
        "dailies_to_choose": ahead.filter(dungeon=None).count(),
        "runs_to_expire": Run.objects.filter(
            status=Run.Status.PLAYING, deadline_at__lte=at
        ).count(),
    }
