"""What stays reserved of banned accounts that left, until their bans end."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class BannedName(models.Model):
    """A name that a banned account bore when it left; nobody may have it, or one that
    looks like it. Its e-mail stays as a keyed hash, to notice who comes back by it.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="banned_names", db_index=False
    )
    key = models.CharField(max_length=80, db_index=True)
    skeleton = models.CharField(max_length=160, db_index=True)
    # 64 hexadecimal digits, or "" where there was none.
    email_mark = models.CharField(max_length=64, blank=True, default="", db_index=True)
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "key"], name="banned_name_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.account_id}"
