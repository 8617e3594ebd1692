"""What was asked of the analysis about runs that are over: reviews, and solutions.

A row is question, place in the queue, lease and answer in one, so that the database
alone knows what is to be done; see services/studies.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.runs.run import Run


class Study(models.Model):
    """One question about one run, for one version of the analysis.

    `question` is empty for a review; for a solution it names the position, as the
    codes of the moves that lead there. `fence` counts who has taken the study up: only
    the newest may write, until `lease_until`.
    """

    class Kind(models.TextChoices):
        """What is asked."""

        REVIEW = "review"
        SOLVE = "solve"

    class Status(models.TextChoices):
        """How far it is."""

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
    lease_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    # Of a review: 0..1 over the moves that were a choice; for means over runs.
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
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["-kind", "asked_at"],
                condition=Q(status__in=["queued", "running"]),
                name="study_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of run {self.run_id}"
