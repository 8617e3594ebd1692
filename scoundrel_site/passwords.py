"""Password hashing and validation, named in the settings.

Argon2id with 46 MiB, one pass and a parallelism of 1 takes a third of the time of
Django's default on a small machine, at the same strength (docs/accounts.md,
"Passwords").
"""

import threading
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django_zxcvbn_password_validator import ZxcvbnPasswordValidator

MAX_CONCURRENT_HASHES = 2
MIN_LENGTH, MAX_LENGTH = 8, 128
# Words that do not make a password harder to guess on this site.
GAME_WORDS = ("scoundrellive", "scoundrel", "dungeon", "tavern")
# zxcvbn's limit; enough to recognise a weak password.
_MAX_CHECKED = 72

_hash_slots = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES)


class LightArgon2Hasher(Argon2PasswordHasher):
    """Argon2id at 47104 KiB; a process computes two hashes at a time."""

    time_cost = 1
    memory_cost = 47_104
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash, after waiting for a free slot."""
        with _hash_slots:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password matches, after waiting for a free slot."""
        with _hash_slots:
            return bool(super().verify(password, encoded))


def _without_game_words(password: str) -> str:
    """Return the password without the words of this game."""
    remainder = password.casefold()
    for word in GAME_WORDS:
        remainder = remainder.replace(word, "")
    return password if remainder == password.casefold() else remainder or "a"


class PasswordValidator:
    """8 to 128 characters, and hard enough to guess (zxcvbn)."""

    def __init__(self) -> None:
        self._strength = ZxcvbnPasswordValidator()

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError with reason and advice if the password is too weak."""
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            raise ValidationError(self.get_help_text(), code="password.length")
        try:
            self._strength.validate(_without_game_words(password)[:_MAX_CHECKED], user)
        except ValidationError as weak:
            raise ValidationError(
                [ValidationError(why, code="password.weak") for why in weak.messages]
            ) from weak

    def get_help_text(self) -> str:
        """Return the requirement as a sentence."""
        return f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters."
