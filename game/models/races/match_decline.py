"""Offered matches that a player declined or let run out."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class MatchDecline(models.Model):
    """An account was offered a match with another one and did not accept it.

    `game.contest.declines` says what that costs. Rows are deleted after a day.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    other = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "at"], name="match_decline_lately"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} declined {self.other_id}"
