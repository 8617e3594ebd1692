"""Passwords: what one hash costs, how many at a time, and which are sound.

Named by the settings only. 46 MiB, one pass, one lane: a third of the time of Django's
default on a small machine, at the same strength (docs/accounts.md "Passwords").
"""

import threading
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django_zxcvbn_password_validator import ZxcvbnPasswordValidator

AT_A_TIME = 2
SHORTEST, LONGEST = 8, 128
# Words of this place: they make no password harder to guess, so they do not count.
OUR_WORDS = ("scoundrellive", "scoundrel", "dungeon", "tavern")
# zxcvbn's own limit, and quite enough to tell a weak password by.
_LOOKED_AT = 72

_turns = threading.BoundedSemaphore(AT_A_TIME)


class MeasuredArgon2Hasher(Argon2PasswordHasher):
    """Argon2id at 47104 KiB; two hashes at a time in a process, the rest wait."""

    time_cost = 1
    memory_cost = 47_104
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """The hash, once it is this one's turn."""
        with _turns:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is the one, once it is this one's turn."""
        with _turns:
            return bool(super().verify(password, encoded))


def _without_our_words(password: str) -> str:
    """What is left to guess."""
    left = password.casefold()
    for word in OUR_WORDS:
        left = left.replace(word, "")
    return password if left == password.casefold() else left or "a"


class SoundPassword:
    """8 to 128 characters, and hard enough to guess (zxcvbn)."""

    def __init__(self) -> None:
        self._strength = ZxcvbnPasswordValidator()

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError with the reason and advice."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise ValidationError(self.get_help_text(), code="password.length")
        try:
            self._strength.validate(_without_our_words(password)[:_LOOKED_AT], user)
        except ValidationError as weak:
            raise ValidationError(
                [ValidationError(why, code="password.weak") for why in weak.messages]
            ) from weak

    def get_help_text(self) -> str:
        """What is asked of a password."""
        return f"A password has {SHORTEST} to {LONGEST} characters."
