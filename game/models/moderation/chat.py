"""Keeping talk bearable: the words that are not said, and who does not hear whom."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.accounts.account import Account
from game.models.core.ids import IdField

WORD_LENGTH = 40


class FilterWord(models.Model):
    """A word that staff do not want said. `key` is how it is looked for."""

    class Effect(models.TextChoices):
        """What becomes of a message that holds it."""

        REFUSE = "refuse"  # it is not said, and the machine flags who tried
        FLAG = "flag"  # it is said, and flagged

    id = IdField()
    word = models.CharField(max_length=WORD_LENGTH)
    key = models.CharField(max_length=2 * WORD_LENGTH, unique=True)
    effect = models.CharField(max_length=8, choices=Effect, default=Effect.REFUSE)
    made_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.word


class Block(models.Model):
    """`account` does not want to hear `blocked`, nor to be paired with him."""

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="blocks", db_index=False
    )
    blocked = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "blocked"], name="block_once_a_pair"
            ),
            models.CheckConstraint(
                condition=~Q(account=F("blocked")), name="block_of_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} blocks {self.blocked_id}"
