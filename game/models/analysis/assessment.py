"""Assessments of dungeons: how hard they are. Hidden until the dungeon is revealed."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.runs.dungeon import Dungeon


class Assessment(models.Model):
    """The assessment of a dungeon at one difficulty, by one version of the analysis.

    `best` is the highest score possible with the order known (None: not proven). The
    sampling player cleared `cleared` of `games`.
    """

    dungeon = models.OneToOneField(
        Dungeon, primary_key=True, on_delete=models.CASCADE, related_name="assessment"
    )
    difficulty = models.CharField(max_length=16)
    version = models.CharField(max_length=32)
    winnable = models.BooleanField()
    best = models.SmallIntegerField(null=True, blank=True)
    cleared = models.PositiveSmallIntegerField()
    games = models.PositiveSmallIntegerField()
    band = models.CharField(max_length=8)
    assessed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(cleared__lte=F("games")), name="assessment_counts"
            ),
        ]

    def __str__(self) -> str:
        return f"assessment of dungeon {self.dungeon_id}"
