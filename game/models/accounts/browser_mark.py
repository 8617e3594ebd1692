"""Which browsers an account was used from, told apart by keyed hashes alone."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class BrowserMark(models.Model):
    """An account was signed in from that browser in that network. Outlives the
    session, or a second account would be hidden by signing out.
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
