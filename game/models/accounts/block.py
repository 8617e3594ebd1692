"""Blocks between accounts: no chat from the blocked account, no race together."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.accounts.account import Account


class Block(models.Model):
    """`account` gets no chat from `blocked`; neither joins a race of the other."""

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
