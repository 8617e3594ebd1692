"""Counters of throttles, for sites without Valkey and for when it does not answer."""

from django.db import models


class Throttle(models.Model):
    """How often something was done in the window that ends at `resets_at`."""

    key = models.CharField(max_length=160, primary_key=True)
    count = models.PositiveIntegerField()
    resets_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"
