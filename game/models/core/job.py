"""Periodic jobs: when each last ran, what it did and how it failed, for staff."""

from django.db import models


class Job(models.Model):
    """One job of the tick, by name."""

    name = models.CharField(max_length=40, primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField()
    done = models.IntegerField(default=0)
    # When it last did something, and when it last failed.
    worked_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=400, blank=True, default="")
    failures = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name
