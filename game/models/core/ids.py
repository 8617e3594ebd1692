"""Ids: random text, of the same form for every row that a client can name."""

import secrets
import string

from django.db import models

ID_ALPHABET = string.ascii_lowercase + string.digits
ID_LENGTH = 16


def new_id() -> str:
    """A new random id: 16 characters of a-z and 0-9, about 82 bits."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class IdField(models.CharField):  # type: ignore[type-arg]
    """The primary key of a row that clients can name."""

    def __init__(self, **options: object) -> None:
        options.setdefault("primary_key", True)
        options.setdefault("max_length", ID_LENGTH)
        options.setdefault("default", new_id)
        options.setdefault("editable", False)
        super().__init__(**options)  # type: ignore[arg-type]
