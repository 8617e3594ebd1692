"""Chat messages of races."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.accounts.account import Account
from game.models.races.race import Race

CHAT_LENGTH = 200


class ChatMessage(models.Model):
    """A chat message: free text or the key of a fixed phrase."""

    class Room(models.TextChoices):
        """The room; while the race runs, entrants do not read the spectators' room."""

        ENTRANTS = "entrants"
        SPECTATORS = "spectators"

    race = models.ForeignKey(
        Race, on_delete=models.PROTECT, related_name="messages", db_index=False
    )
    number = models.PositiveIntegerField()
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    room = models.CharField(max_length=16, choices=Room)
    phrase = models.CharField(max_length=24, blank=True, default="")
    text = models.CharField(max_length=CHAT_LENGTH, blank=True, default="")
    at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["race", "number"], name="message_once_a_number"
            ),
            models.CheckConstraint(
                condition=(Q(phrase="") & ~Q(text="")) | (~Q(phrase="") & Q(text="")),
                name="message_phrase_or_text",
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.number} of race {self.race_id}"
