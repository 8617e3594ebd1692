"""Signs of life of the site's processes, and the outages that they show."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class SignOfLife(models.Model):
    """When a kind of process last signed (`game.contest.outages.ProcessRole`).

    `latest_at` is the latest time ever signed: the calendar of dailies never goes back
    before it, though a clock that is set back does.
    """

    role = models.CharField(max_length=8, primary_key=True)
    signed_at = models.DateTimeField()
    latest_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.role} at {self.signed_at}"


class Outage(models.Model):
    """A period in which the site was down for players."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    note = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(ended_at__gte=F("began_at")), name="outage_in_order"
            ),
            models.UniqueConstraint(fields=["began_at"], name="outage_once"),
        ]

    def __str__(self) -> str:
        return f"outage from {self.began_at} to {self.ended_at}"


class BridgedDay(models.Model):
    """A UTC day that breaks no streak: of an outage, or by an act of a moderator.

    `source` is "outage" or the id of the act.
    """

    on = models.DateField()
    source = models.CharField(max_length=32)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["on", "source"], name="bridged_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.on} ({self.source})"
