"""Session keys as they are stored: hashed, so that a copy of the database signs nobody
in.

The cookie holds a session's key, 165 random bits; the database holds `row_key` of it. A
plain hash is enough, since such keys cannot be guessed.
"""

from hashlib import sha256
from typing import Any

from django.db import models

# As many hexadecimal digits as Django's and allauth's columns hold: 160 bits.
ROW_KEY_LENGTH = 40


class RowKey(str):
    """The stored form of a session key. Only `row_key` and the database make one."""

    __slots__ = ()


def row_key(key: str) -> RowKey:
    """Return what is stored for a session key; a stored one stays as it is."""
    if isinstance(key, RowKey):
        return key
    digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return RowKey(digest[:ROW_KEY_LENGTH])


class SessionKeyField(models.CharField):  # type: ignore[type-arg]
    """A column of session keys: hashes what is written and what is looked up.

    Values that are read are of the type RowKey, so that they are not hashed again.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the stored form of a key."""
        return None if value is None else str(row_key(value))

    def from_db_value(self, value: str | None, *_: Any) -> RowKey | None:
        """Mark a stored key as hashed."""
        return None if value is None else RowKey(value)

    def deconstruct(self) -> Any:
        """Return the description of a plain text column, which it is."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
