"""The list of filtered words, edited by staff."""

from django.db import models

from game.models.accounts.account import Account
from game.models.core.ids import IdField

WORD_LENGTH = 40


class FilterWord(models.Model):
    """A word that chat and names may not contain. `key` is its normalized form."""

    class Effect(models.TextChoices):
        """What happens to a message that contains the word."""

        REFUSE = "refuse"  # refuse the message and flag its author
        FLAG = "flag"  # send the message and flag its author

    id = IdField()
    word = models.CharField(max_length=WORD_LENGTH)
    key = models.CharField(max_length=2 * WORD_LENGTH, unique=True)
    effect = models.CharField(max_length=8, choices=Effect, default=Effect.REFUSE)
    made_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.word
