"""Networks and browsers where an account has signed in, stored as keyed hashes only."""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account


class SignInPlace(models.Model):
    """A network or a browser where the account has proved a credential.

    Too many wrong passwords for its name do not refuse it there.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    place = models.CharField(max_length=64)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["account", "place"], name="sign_in_place_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"a place of {self.account_id}"
