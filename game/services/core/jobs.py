"""Runs the jobs of the tick one by one, and stores the result of each.

A job that fails is logged and stored, and the others still run: an error in a board
must not keep runs from expiring. The failures are raised together at the end.
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import structlog

from game.models import Job

log = structlog.get_logger(__name__)

_UPDATED = (
    *("began_at", "ended_at", "took_ms", "done"),
    *("worked_at", "failed_at", "failure", "failures"),
)
Work = Callable[[datetime], int]


def jobs_run(works: Mapping[str, Work], *, at: datetime) -> dict[str, int]:
    """Run each job and store its result. Return what each job did, by name.

    A job returns the number of things it did. Raises ExceptionGroup with the failures,
    after all jobs have run.
    """
    known = Job.objects.in_bulk(list(works))
    counts: dict[str, int] = {}
    failures: list[Exception] = []
    rows: list[Job] = []
    for name, work in works.items():
        row = known.get(name) or Job(name=name)
        row.began_at, started = at, time.monotonic()
        try:
            row.done = counts[name] = work(at)
        # Every error is logged, stored and raised again at the end.
        except Exception as error:
            log.exception("job_failed", job=name)
            failures.append(error)
            row.done, row.failed_at = 0, at
            row.failures += 1
            row.failure = f"{type(error).__name__}: {error}"[:400]
        row.took_ms = round((time.monotonic() - started) * 1000)
        row.ended_at = at + timedelta(milliseconds=row.took_ms)
        if row.done:
            row.worked_at = at
        rows.append(row)
    _store(rows)
    if failures:
        raise ExceptionGroup("Some jobs failed.", failures)
    return counts


def job_last_began(name: str) -> datetime | None:
    """When a job last began, or None if it failed then or has never run."""
    row = Job.objects.filter(name=name).first()
    if row is None or row.failed_at == row.began_at:
        return None
    return row.began_at


def _store(rows: list[Job]) -> None:
    Job.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=_UPDATED
    )
