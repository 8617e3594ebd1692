"""Dungeons: each is one order of the deck; its seal is published before the seed."""

from typing import ClassVar

from django.db import models

from game.models.core.ids import IdField


class Dungeon(models.Model):
    """A seed under a ruleset.

    The seed is stored encrypted; only `game.services.runs.dungeons` decrypts it.
    Nothing here may print it.
    """

    class Origin(models.TextChoices):
        """What the dungeon was made for."""

        PRACTICE = "practice"
        DAILY = "daily"
        RACE = "race"

    id = IdField()
    ruleset = models.CharField(max_length=32)
    origin = models.CharField(max_length=16, choices=Origin)
    seal = models.CharField(max_length=64, db_index=True)
    seed_sealed = models.CharField(max_length=255)
    seed_given = models.BooleanField(default=False)
    drawn_at = models.DateTimeField()
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~models.Q(seal="") & ~models.Q(seed_sealed=""),
                name="dungeon_is_sealed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.seal[:12]}"
