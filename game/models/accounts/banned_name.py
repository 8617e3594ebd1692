"""Names of accounts closed during a ban, reserved until the ban ends."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class BannedName(models.Model):
    """A name of a banned account that was closed. Nobody may take it or a name that
    looks like it. A keyed hash of the e-mail shows a new sign-up with it.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="banned_names", db_index=False
    )
    key = models.CharField(max_length=80, db_index=True)
    skeleton = models.CharField(max_length=160, db_index=True)
    # 64 hexadecimal digits, or "" if the account had no e-mail.
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
