"""Mailboxes and network addresses of an account, stored as keyed hashes only."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class AccountMark(models.Model):
    """A verified mailbox of an account, or an address where it was used, as a hash.

    Together with `BrowserMark` it tells which accounts may belong to one person. It
    outlives the session, the e-mail and the closing of the account.
    """

    class Kind(models.TextChoices):
        """What the mark is a hash of."""

        MAILBOX = "mailbox"
        ADDRESS = "address"

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="marks", db_index=False
    )
    kind = models.CharField(max_length=8, choices=Kind)
    mark = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "kind", "mark"], name="account_mark_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "mark"], name="account_mark_shared"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.account_id} until {self.seen_at}"
