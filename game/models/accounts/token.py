"""API tokens: stored hashed, scoped, expiring; their text is shown once."""

from typing import ClassVar

from django.db import models
from knox.models import AbstractAuthToken

from game.models.accounts.account import Account
from game.models.core.ids import new_id

SCOPES = ("read", "play", "race", "chat")


class Token(AbstractAuthToken):
    """A token. Knox's fields are the digest (SHA-512), the first characters and the
    expiry. `digest` is the primary key and never leaves the server; `id` identifies the
    token to its owner.
    """

    objects: ClassVar[models.Manager["Token"]] = models.Manager()

    user = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    id = models.CharField(max_length=16, unique=True, default=new_id, editable=False)
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=40)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "-created"], name="token_of_account"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key}...)"

    @property
    def scopes(self) -> list[str]:
        """The token's scopes, from SCOPES."""
        return self.scope.split()
