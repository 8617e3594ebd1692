"""The rating pools, used by races and by boards."""

from django.db import models


class RatingPool(models.TextChoices):
    """The pool in which an account is rated: people or bots."""

    LIVE = "live"
    BOT = "bot"
