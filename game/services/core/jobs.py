"""Runs the parts of the tick one by one, and notes how each went.

A part that fails is logged and noted, and the others are done all the same: a broken
board must not keep runs from ending. What failed is raised when all is done.
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import structlog

from game.models import Job

log = structlog.get_logger(__name__)

_NOTED = (
    *("began_at", "ended_at", "took_ms", "done"),
    *("worked_at", "failed_at", "failure", "failures"),
)
Work = Callable[[datetime], int]


def jobs_run(works: Mapping[str, Work], *, at: datetime) -> dict[str, int]:
    """Do each work and note it; how much each did, by name.

    Raises ExceptionGroup of what failed, after the rest has been done.
    """
    known = Job.objects.in_bulk(list(works))
    done: dict[str, int] = {}
    failures: list[Exception] = []
    rows: list[Job] = []
    for name, work in works.items():
        row = known.get(name) or Job(name=name)
        row.began_at, started = at, time.monotonic()
        try:
            row.done = done[name] = work(at)
        # Everything is logged, noted and raised again: nothing is hidden.
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
    _note(rows)
    if failures:
        raise ExceptionGroup("Some of what was due failed.", failures)
    return done


def job_last_began(name: str) -> datetime | None:
    """When a job last began without failing, as far as is noted."""
    row = Job.objects.filter(name=name).first()
    if row is None or row.failed_at == row.began_at:
        return None
    return row.began_at


def _note(rows: list[Job]) -> None:
    Job.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=_NOTED
    )
