"""Results of screening runs for play with the order of the cards known."""

from django.db import models


class Screening(models.Model):
    """The screening of one run; `rooms` is a list of [index, rank, variance]."""

    run = models.OneToOneField(
        "game.Run", primary_key=True, on_delete=models.CASCADE, related_name="screening"
    )
    version = models.CharField(max_length=8)
    rooms = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"screening of run {self.run_id}"
