"""Makes accounts. Guests for now: they play at once and keep what they played."""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from game.models import Account

_MOODS = (
    *("Ashen", "Bold", "Brisk", "Candid", "Damp", "Dire", "Eager", "Faded", "Gaunt"),
    *("Grim", "Hasty", "Hollow", "Iron", "Keen", "Lost", "Merry", "Mossy", "Pale"),
    *("Quiet", "Rash", "Rusty", "Sly", "Stray", "Tired", "Wary", "Wry"),
)
_FIGURES = (
    *("Bat", "Bishop", "Candle", "Crow", "Dagger", "Ghoul", "Goblin", "Herald", "Imp"),
    *("Jester", "Key", "Lantern", "Ogre", "Page", "Rat", "Rogue", "Skull", "Smith"),
    *("Spider", "Squire", "Torch", "Vial", "Warden", "Wolf"),
)


def guest_name() -> str:
    """A name for a guest, such as "Wry Lantern 4821": 20 characters at the most."""
    mood, figure = secrets.choice(_MOODS), secrets.choice(_FIGURES)
    return f"{mood} {figure} {secrets.randbelow(9000) + 1000}"


def guest_create(*, at: datetime) -> Account:
    """A guest account under a free name."""
    while True:
        account = Account(name=guest_name(), is_guest=True, created_at=at, seen_at=at)
        account.set_unusable_password()
        try:
            with transaction.atomic():
                account.save(force_insert=True)
        except IntegrityError:
            continue  # the name is taken; there are five million others
        return account
