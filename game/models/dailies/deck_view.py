"""Where the deck of an unsettled daily was dealt, stored as keyed hashes only.

Both tables are emptied for a daily when its board is settled. Until then the rows stay
with an account that is closed, so that closing one does not give a second attempt.
"""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account
from game.models.dailies.daily import Daily


class DeckView(models.Model):
    """A browser in which an account was dealt the deck of a daily.

    The fields are those of `game.contest.ranked_attempts.DeckView`.
    """

    daily = models.ForeignKey(
        Daily, on_delete=models.CASCADE, related_name="deck_views", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="deck_views"
    )
    browser = models.CharField(max_length=64, blank=True)
    look = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    is_familiar = models.BooleanField(default=False)
    is_guest = models.BooleanField(default=False)
    is_crowded = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["daily", "account", "browser", "look"], name="deck_view_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["daily", "address"], name="deck_view_address"),
            models.Index(fields=["daily", "browser"], name="deck_view_browser"),
        ]

    def __str__(self) -> str:
        return f"{self.daily_id} of {self.account_id}"


class DeckMailbox(models.Model):
    """A verified mailbox of an account that was dealt the deck of a daily."""

    daily = models.ForeignKey(
        Daily, on_delete=models.CASCADE, related_name="deck_mailboxes", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="deck_mailboxes"
    )
    mailbox = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["daily", "account", "mailbox"], name="deck_mailbox_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["daily", "mailbox"], name="deck_mailbox_of_daily"),
        ]

    def __str__(self) -> str:
        return f"{self.daily_id} of {self.account_id}"
