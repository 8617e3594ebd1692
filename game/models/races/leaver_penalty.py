"""Abandonments of rated races."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account
from game.models.races.race import Race


class Abandonment(models.Model):
    """An account abandoned a rated race while others were still playing."""

    class How(models.TextChoices):
        """How the race was abandoned."""

        FORFEITED = "forfeited"
        LEFT = "left", "Left in the countdown"
        NO_SHOW = "no_show"
        TIMED_OUT = "timed_out"  # without a move in the last minutes

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="abandonments", db_index=False
    )
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="+")
    how = models.CharField(max_length=16, choices=How)
    at = models.DateTimeField()
    # Set by a moderator: it does not count.
    excused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "race"], name="abandonment_once_a_race"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "at"], name="abandonment_lately"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.how} in race {self.race_id}"
