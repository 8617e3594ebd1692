"""The chain of published commitments, and the public random values that dailies use.

Entries are only ever added; triggers on PostgreSQL and SQLite refuse any change
(migration of the same name). `game.contest.commitments` says what an entry records.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Commitment(models.Model):
    """One entry of the chain.

    `facts` is canonical JSON text: what is hashed, and what third parties get. `kind`
    and, if it is about a daily, `on` and `ruleset` repeat what it says, to be found.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    kind = models.CharField(max_length=16)
    on = models.DateField(null=True)
    ruleset = models.CharField(max_length=32, blank=True, default="")
    facts = models.TextField()
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)
    signature = models.CharField(max_length=128)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["on", "ruleset", "kind"], name="commitment_of_daily"),
            models.Index(fields=["kind", "number"], name="commitment_by_kind"),
        ]

    def __str__(self) -> str:
        return f"commitment {self.number}: {self.kind}"


class CommitmentHead(models.Model):
    """The length and last hash of the chain: one row, locked while it is added to."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    count = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(id=1), name="commitment_one_head"),
        ]

    def __str__(self) -> str:
        return f"commitment head {self.count}"


class BeaconRound(models.Model):
    """The verified value of a drand round that a daily names."""

    chain = models.CharField(max_length=64)
    number = models.PositiveBigIntegerField()
    signature = models.CharField(max_length=192)
    stored_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["chain", "number"], name="beacon_round_once"
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"
