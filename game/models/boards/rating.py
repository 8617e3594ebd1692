"""Ratings and the ledger of their changes.

A rating is the last line of its ledger: `manage.py ratings_rebuild` makes every one of
them again from the changes alone.
"""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from game.models.accounts.account import Account
from game.models.core.rating_pool import RatingPool
from game.models.races.race import Race


class Rating(models.Model):
    """The Glicko-2 rating of an account under a ruleset, in its pool."""

    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    ruleset = models.CharField(max_length=32)
    pool = models.CharField(max_length=8, choices=RatingPool)
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    races = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "ruleset", "pool"], name="rating_one_of_a_kind"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ruleset", "pool", "-rating"], name="rating_board"),
        ]

    def __str__(self) -> str:
        return f"{self.rating:.0f} in {self.ruleset} {self.pool}"


class RatingChange(models.Model):
    """A line of the append-only rating ledger: a race's change of one rating.

    A correction by a moderation act has its `act`; it changes only the rating and does
    not count as a race.
    """

    race = models.ForeignKey(
        Race, on_delete=models.PROTECT, related_name="rating_changes", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="rating_changes"
    )
    act = models.ForeignKey(
        "game.Act",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="corrections",
    )
    ruleset = models.CharField(max_length=32)
    pool = models.CharField(max_length=8, choices=RatingPool)
    place = models.PositiveSmallIntegerField()
    rating_before = models.FloatField()
    deviation_before = models.FloatField()
    volatility_before = models.FloatField()
    rating_after = models.FloatField()
    deviation_after = models.FloatField()
    volatility_after = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["race", "account"],
                condition=Q(act__isnull=True),
                name="rating_change_once_a_race",
            ),
            models.UniqueConstraint(
                fields=["race", "account", "act"],
                condition=Q(act__isnull=False),
                name="rating_correction_once_an_act",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rating_after - self.rating_before:+.0f} by race {self.race_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the line. Raises TypeError for an update."""
        if not self._state.adding:
            raise TypeError("The rating ledger is append-only.")
        super().save(*args, **kwargs)
