"""Overdue transitions of races, and the moves of bots."""

from celery import shared_task
from django.utils import timezone

from game.services.races.bot_moves import bot_moves_play
from game.services.races.timeouts import races_advance
from game.services.runs.outages import sign_of_life


@shared_task
def house_turns() -> dict[str, int]:
    """Do what is due in races now; the number of things done, by name."""
    now = timezone.now()
    sign_of_life(at=now)
    return {"races_due": races_advance(at=now), "turns_played": bot_moves_play(at=now)}
