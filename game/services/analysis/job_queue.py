"""The job queue of studies: request, take, report progress, finish, fail, requeue.

The queue is the `Study` table, ordered by the turns of `game.contest.fair_queue`.
Taking a study raises its fence (a fencing token) and leases it to the worker. If the
lease expires, the study can be taken again, and the writes of the first worker are
refused because its fence is old. `job_worker` computes the results.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from game.contest.fair_queue import next_turn
from game.models import Study
from game.services.core.errors import Kind, ServiceRefusal

# A running worker writes about once a second; the rest allows for a slow machine.
LEASE = timedelta(seconds=45)
MAX_TRIES = 3
SOLUTIONS_KEPT_FOR = timedelta(days=7)
# How many queued studies one call tries to take, if other workers take them first.
_TAKE_ATTEMPTS = 5
# How often a request tries to get a turn that concurrent ones of its requester want.
_TURN_ATTEMPTS = 20
_QUEUE_ORDER = ("turn", "-kind", "asked_at", "id")
# Computed in seconds, beside the reviews: a player waits at the table.
SHORT = (Study.Kind.SOLVE, Study.Kind.HINT)
_COMPUTED = (Study.Status.RUNNING, Study.Status.DONE)


class Superseded(Exception):  # noqa: N818 - expected, not an error
    """Another worker has taken the study; stop working on it."""


def study_request(
    *, run_id: str, kind: str, version: str, question: str, requester: str, at: datetime
) -> Study:
    """The study of that question; queued if it is new or had failed.

    If it is queued already and the requester's turn is earlier, it gets that turn.
    Raises analysis.busy.
    """
    question_fields = {
        "run_id": run_id,
        "kind": kind,
        "version": version,
        "question": question,
    }
    for _ in range(_TURN_ATTEMPTS):
        study = Study.objects.filter(**question_fields).first() or Study(
            **question_fields
        )
        if study.status in _COMPUTED:
            return study
        queued = _try_to_queue(study, requester, at)
        if queued is not None:
            return queued
    raise ServiceRefusal(
        Kind.UNAVAILABLE, "analysis.busy", "Too many requests at once. Try again."
    )


def _try_to_queue(study: Study, requester: str, at: datetime) -> Study | None:
    """Queue the study; None if a concurrent request got the turn, or made the study."""
    try:
        with transaction.atomic():
            return _queue(study, requester, at)
    except IntegrityError:
        return None


def _queue(study: Study, requester: str, at: datetime) -> Study:
    """Store a new, failed or queued study with the requester's next turn."""
    turn = next_turn(
        served=_highest_turn(Study.objects.exclude(status=Study.Status.QUEUED)) or 0,
        own_last=_highest_turn(Study.objects.filter(requester=requester)),
    )
    if study._state.adding:  # noqa: SLF001 - a new row
        study.asked_at, study.requester, study.turn = at, requester, turn
        study.save(force_insert=True)
        return study
    same = Study.objects.filter(id=study.id, status=study.status)
    if study.status == Study.Status.FAILED:
        same.update(
            status=Study.Status.QUEUED,
            tries=0,
            progress=0.0,
            asked_at=at,
            requester=requester,
            turn=turn,
        )
    elif turn < study.turn:
        same.update(requester=requester, turn=turn)
    study.refresh_from_db()
    return study


def _highest_turn(studies: QuerySet[Study]) -> int | None:
    return studies.order_by("-turn").values_list("turn", flat=True).first()


def queue_position(study: Study) -> int | None:
    """The study's place in the queue: 1 is taken next; None if it does not wait."""
    if study.status != Study.Status.QUEUED:
        return None
    same_turn = Q(turn=study.turn)
    same_kind = same_turn & Q(kind=study.kind)
    ahead = Study.objects.filter(
        Q(turn__lt=study.turn)
        | same_turn & Q(kind__gt=study.kind)
        | same_kind & Q(asked_at__lt=study.asked_at)
        | same_kind & Q(asked_at=study.asked_at, id__lt=study.id),
        status=Study.Status.QUEUED,
    )
    if study.kind in SHORT:
        ahead = ahead.filter(kind__in=SHORT)
    return ahead.count() + 1


def study_take(
    *, at: datetime, kinds: Sequence[str] = Study.Kind.values
) -> Study | None:
    """Take the next queued study of these kinds, also one whose lease expired.

    None if none is left.

    Of one turn, solutions come before reviews: they are short, and somebody waits at
    the table.
    """
    studies_requeue(at=at)
    queued = Study.objects.filter(status=Study.Status.QUEUED, kind__in=kinds)
    for study in queued.order_by(*_QUEUE_ORDER)[:_TAKE_ATTEMPTS]:
        updated = Study.objects.filter(
            id=study.id, status=Study.Status.QUEUED, fence=study.fence
        ).update(
            status=Study.Status.RUNNING,
            fence=F("fence") + 1,
            tries=F("tries") + 1,
            progress=0.0,
            lease_until=at + LEASE,
        )
        if updated:
            study.refresh_from_db()
            return study
    return None


def study_report_progress(study: Study, progress: float, *, at: datetime) -> None:
    """Store the progress (0..1) and renew the lease. Raises Superseded."""
    _write(study, progress=min(1.0, max(0.0, progress)), lease_until=at + LEASE)


def study_finish(
    study: Study, result: object, accuracy: float | None, *, at: datetime
) -> None:
    """Store the result. Raises Superseded."""
    _write(
        study,
        status=Study.Status.DONE,
        progress=1.0,
        result=result,
        accuracy=accuracy,
        done_at=at,
        lease_until=None,
    )


def study_fail(study: Study) -> None:
    """Mark a study as failed; the next request queues it again. Raises Superseded."""
    _write(study, status=Study.Status.FAILED, lease_until=None)


def studies_requeue(*, at: datetime) -> int:
    """Requeue studies whose lease expired, or fail them after three tries; how many."""
    expired = Study.objects.filter(status=Study.Status.RUNNING, lease_until__lte=at)
    failed = expired.filter(tries__gte=MAX_TRIES).update(
        status=Study.Status.FAILED, lease_until=None
    )
    return failed + expired.update(
        status=Study.Status.QUEUED, progress=0.0, lease_until=None
    )


def studies_prune(*, at: datetime, limit: int = 500) -> int:
    """Delete solutions and hints older than a week, but no reviews; how many."""
    old = Study.objects.filter(kind__in=SHORT, asked_at__lte=at - SOLUTIONS_KEPT_FOR)
    keys = list(old.values_list("pk", flat=True)[:limit])
    if keys:
        Study.objects.filter(pk__in=keys).delete()
    return len(keys)


def _write(study: Study, **values: object) -> None:
    """Update the row, if the worker that took `study` still holds it."""
    own_study = Study.objects.filter(
        id=study.id, status=Study.Status.RUNNING, fence=study.fence
    )
    if not own_study.update(**values):
        raise Superseded
