"""Periodic jobs: when each last ran, what it did, how it failed. For staff."""

from django.db import models


class Job(models.Model):
    """One named part of the tick."""

    name = models.CharField(max_length=40, primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField()
    done = models.IntegerField(default=0)
    # The last time it did something, and the last time it failed.
    worked_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=400, blank=True, default="")
    failures = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name
