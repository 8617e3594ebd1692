"""Who left rated races, and when the server itself was at fault."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.accounts.account import Account
from game.models.races.race import Race


class Abandonment(models.Model):
    """Somebody left a rated race before its end, while others were playing on."""

    class How(models.TextChoices):
        """In which way."""

        FORFEITED = "forfeited"
        NO_SHOW = "no_show"
        TIMED_OUT = "timed_out"  # and had not moved for minutes

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="abandonments", db_index=False
    )
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="+")
    how = models.CharField(max_length=16, choices=How)
    at = models.DateTimeField()
    # Set by staff: it no longer counts.
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


class Outage(models.Model):
    """A while in which the server did not do its work."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    note = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(ended_at__gte=F("began_at")), name="outage_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"outage from {self.began_at} to {self.ended_at}"
