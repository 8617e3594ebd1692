"""Requested analyses of runs: reviews, solutions and hints.

A row is a job and its result, and the table is the job queue. See
`services/analysis/job_queue`.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.runs.run import Run


class Study(models.Model):
    """One analysis of one run, by one version of the analysis.

    `question` is empty for a review; for a solution or a hint it is the position, as
    the codes of the moves that lead there. `fence` is a fencing token: it is raised
    each time a worker takes the study, and only the last worker may write, until
    `lease_until`.
    Queued studies are taken by `turn`, which `game.contest.fair_queue` gives to their
    requester: an account's id, or a keyed hash of a network for its guests.
    """

    class Kind(models.TextChoices):
        """Which analysis."""

        REVIEW = "review"
        SOLVE = "solve"
        HINT = "hint"

    class Status(models.TextChoices):
        """The state of the job."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="studies", db_index=False
    )
    kind = models.CharField(max_length=8, choices=Kind)
    question = models.CharField(max_length=320, blank=True, default="")
    version = models.CharField(max_length=32)
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    progress = models.FloatField(default=0.0)
    fence = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    # Database defaults, because older processes insert rows without them.
    requester = models.CharField(max_length=40, blank=True, db_default="")
    turn = models.PositiveIntegerField(db_default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    # Of a review, 0..1; a separate column, so that it can be averaged.
    accuracy = models.FloatField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["run", "kind", "version", "question"], name="study_once"
            ),
            models.CheckConstraint(
                condition=Q(status="done", done_at__isnull=False)
                | (~Q(status="done") & Q(done_at__isnull=True)),
                name="study_done_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(progress__gte=0.0, progress__lte=1.0),
                name="study_progress_is_a_part",
            ),
            models.UniqueConstraint(
                fields=["requester", "turn"],
                condition=~Q(requester=""),
                name="study_one_a_turn",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["turn", "-kind", "asked_at", "id"],
                condition=Q(status__in=["queued", "running"]),
                name="study_by_turn",
            ),
            models.Index(fields=["turn"], name="study_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of run {self.run_id}"
