"""The queue of studies: taken up, kept alive, answered; and given back where a worker
was killed.

Work is derived from the table alone. Whoever takes a study up raises its fence and has
a lease; a worker whose lease ran out finds its writes refused, so two do no harm. What
a study is, and how it is answered, is in services/study_work.
"""

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from game.models import Study

# A worker writes every second or so while it lives; the rest is a machine's hiccup.
LEASE = timedelta(seconds=45)
MOST_TRIES = 3
SOLUTIONS_KEPT_FOR = timedelta(days=7)
_LOOK_AT = 5


class Superseded(Exception):  # noqa: N818 - a fact, not a fault
    """Somebody else has taken the study up: leave it."""


def study_ask(
    *, run_id: str, kind: str, version: str, question: str, at: datetime
) -> Study:
    """The study of that question, queued where it is new or had failed."""
    study, _ = Study.objects.get_or_create(
        run_id=run_id,
        kind=kind,
        version=version,
        question=question,
        defaults={"asked_at": at},
    )
    if study.status == Study.Status.FAILED:
        Study.objects.filter(id=study.id, status=Study.Status.FAILED).update(
            status=Study.Status.QUEUED, tries=0, progress=0.0, asked_at=at
        )
        study.refresh_from_db()
    return study


def study_take(*, at: datetime) -> Study | None:
    """Take up the next one that waits or was left lying; None where there is none.

    Solutions go first: somebody looks at the board, and they are short.
    """
    studies_release(at=at)
    waiting = Study.objects.filter(status=Study.Status.QUEUED)
    for study in waiting.order_by("-kind", "asked_at")[:_LOOK_AT]:
        taken = Study.objects.filter(
            id=study.id, status=Study.Status.QUEUED, fence=study.fence
        ).update(
            status=Study.Status.RUNNING,
            fence=F("fence") + 1,
            tries=F("tries") + 1,
            progress=0.0,
            lease_until=at + LEASE,
        )
        if taken:
            study.refresh_from_db()
            return study
    return None


def study_progress(study: Study, progress: float, *, at: datetime) -> None:
    """Note how far it is (0..1) and hold it for longer. Raises Superseded."""
    _write(study, progress=min(1.0, max(0.0, progress)), lease_until=at + LEASE)


def study_finish(
    study: Study, result: object, accuracy: float | None, *, at: datetime
) -> None:
    """Keep the answer. Raises Superseded."""
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
    """Give it up; whoever asks again has it tried again. Raises Superseded."""
    _write(study, status=Study.Status.FAILED, lease_until=None)


def studies_release(*, at: datetime) -> int:
    """Queue again what its worker left lying, or give it up after three; how many."""
    lapsed = Study.objects.filter(status=Study.Status.RUNNING, lease_until__lte=at)
    given_up = lapsed.filter(tries__gte=MOST_TRIES).update(
        status=Study.Status.FAILED, lease_until=None
    )
    return given_up + lapsed.update(
        status=Study.Status.QUEUED, progress=0.0, lease_until=None
    )


def studies_prune(*, at: datetime, most: int = 500) -> int:
    """Delete solutions a week old; reviews stay; how many."""
    old = Study.objects.filter(
        kind=Study.Kind.SOLVE, asked_at__lte=at - SOLUTIONS_KEPT_FOR
    )
    keys = list(old.values_list("pk", flat=True)[:most])
    if keys:
        Study.objects.filter(pk__in=keys).delete()
    return len(keys)


def _write(study: Study, **values: object) -> None:
    if not _held(study).update(**values):
        raise Superseded


def _held(study: Study) -> QuerySet[Study]:
    """The row while it is still ours."""
    return Study.objects.filter(
        Q(status=Study.Status.RUNNING), id=study.id, fence=study.fence
    )
