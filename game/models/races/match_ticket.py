"""The matchmaking queue."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.accounts.account import Account
from game.models.core.ids import IdField
from game.models.core.rating_pool import RatingPool
from game.models.races.race import Race


class MatchTicket(models.Model):
    """An account in the queue for a quick match: queued, offered one, or matched.

    Two tickets with the same `offer` have been paired and have until `accept_by`.
    """

    id = IdField()
    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, related_name="match_ticket"
    )
    ruleset = models.CharField(max_length=32)
    format = models.CharField(max_length=8, choices=Race.Format)
    pool = models.CharField(max_length=8, choices=RatingPool)
    is_rateable = models.BooleanField(default=False)
    rating = models.FloatField()
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    # Their last match was cancelled because the other player left: they are paired
    # before all others.
    is_first = models.BooleanField(default=False, db_default=False)
    offer = models.CharField(max_length=16, blank=True, default="", db_index=True)
    accept_by = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    # The offered opponent may be the same person: the match is unrated.
    is_linked = models.BooleanField(default=False, db_default=False)
    race = models.ForeignKey(
        Race, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(offer="", accept_by__isnull=True, accepted_at__isnull=True)
                | (~Q(offer="") & Q(accept_by__isnull=False)),
                name="ticket_offer_is_whole",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["ruleset", "format", "pool", "made_at"],
                condition=Q(offer="", race__isnull=True),
                name="ticket_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"ticket {self.id}"
