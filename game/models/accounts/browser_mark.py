"""Browsers that an account was used from, stored as keyed hashes only."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class BrowserMark(models.Model):
    """A browser and network that an account signed in from; `mark` is their hash. It
    outlives the session: otherwise signing out would hide a second account.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="browser_marks", db_index=False
    )
    mark = models.CharField(max_length=64, db_index=True)
    first_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "mark"], name="browser_mark_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} until {self.seen_at}"
