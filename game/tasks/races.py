"""Overdue transitions of races, and the moves of bots."""

from celery import shared_task
from django.utils import timezone

from game.services.races.bot_moves import bot_moves_play
from game.services.races.timeouts import races_advance
from game.services.runs.outages import sign_of_life_record


@shared_task
def advance() -> dict[str, int]:
    """Do what is due in races now; the number of things done, by service."""
    now = timezone.now()
    sign_of_life_record(at=now)
    return {
        "races_advance": races_advance(at=now),
        "bot_moves_play": bot_moves_play(at=now),
    }
