"""Reports by players and automatic flags, gathered in cases for moderators."""

from enum import StrEnum
from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.contest.moderation.reasons import CaseKind, FlagKind, ReportSource
from game.models.accounts.account import Account
from game.models.core.ids import IdField

REPORT_LENGTH = 500


def choices_of(kinds: type[StrEnum]) -> list[tuple[str, str]]:
    """Return the Django choices: each value, and its words without underscores."""
    return [(kind.value, kind.value.replace("_", " ")) for kind in kinds]


class Case(models.Model):
    """The reports and flags of one kind about one account, until it is closed."""

    class Outcome(models.TextChoices):
        """How the case was closed; empty while it is open."""

        DISMISSED = "dismissed"
        UPHELD = "upheld"

    id = IdField()
    subject = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    kind = models.CharField(max_length=16, choices=choices_of(CaseKind))
    # The sum of the weights of its reports and flags; open cases are sorted by it.
    weight = models.FloatField(default=0.0)
    opened_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "kind"],
                condition=Q(closed_at__isnull=True),
                name="case_one_open_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, outcome="")
                | (Q(closed_at__isnull=False) & ~Q(outcome="")),
                name="case_closed_has_outcome",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["-weight", "touched_at"],
                condition=Q(closed_at__isnull=True),
                name="case_open_by_weight",
            ),
            models.Index(fields=["subject", "-opened_at"], name="case_of_subject"),
        ]

    def __str__(self) -> str:
        return f"case {self.id} ({self.kind})"


class Report(models.Model):
    """One player's report in a case; each reporter has at most one in a case."""

    id = IdField()
    case = models.ForeignKey(
        Case, on_delete=models.PROTECT, related_name="reports", db_index=False
    )
    reporter = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="reports_made", db_index=False
    )
    place = models.CharField(max_length=8, choices=choices_of(ReportSource))
    # A race id, a run id, or "race:number" of a chat line; empty for profile and name.
    target = models.CharField(max_length=40, blank=True, default="")
    text = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")
    # A copy of the reported name or chat line at the time of the report.
    seen = models.CharField(max_length=200, blank=True, default="")
    weight = models.FloatField()
    at = models.DateTimeField()
    outcome = models.CharField(
        max_length=16, choices=Case.Outcome, blank=True, default=""
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["case", "reporter"], name="report_once_a_case"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["reporter", "-at"], name="report_of_reporter"),
        ]

    def __str__(self) -> str:
        return f"report {self.id}"


class Flag(models.Model):
    """An automatic observation of an account, with evidence; raised once per `key`."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="flags")
    subject = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="flags", db_index=False
    )
    kind = models.CharField(max_length=16, choices=choices_of(FlagKind))
    key = models.CharField(max_length=80)
    evidence = models.JSONField(default=dict)
    weight = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "kind", "key"], name="flag_noted_once"
            ),
        ]

    def __str__(self) -> str:
        return f"flag {self.kind} of {self.subject_id}"
