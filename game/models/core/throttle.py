"""Counters of rate limits, used without Valkey and while it is unavailable."""

from django.db import models


class Throttle(models.Model):
    """The uses by one subject in the window that ends at `resets_at`."""

    key = models.CharField(max_length=160, primary_key=True)
    count = models.PositiveIntegerField()
    resets_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"
