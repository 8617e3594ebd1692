"""Sign-in sessions, stored with their account, under hashed keys, encrypted.

A copy of the database signs nobody in: the cookie holds a session's key, 165 random
bits, and the database only `row_key` of it (a plain hash is enough, since such keys
cannot be guessed). The contents are encrypted, because they include mailed codes that
are still valid: a reader of them could reset the password of an account.

Both the model and its store are here because Django looks for `SessionStore` in the
module that SESSION_ENGINE names.
"""

import base64
import json
import secrets
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from game.models.accounts.account import Account

# As many hexadecimal digits as Django's and allauth's columns hold: 160 bits.
ROW_KEY_LENGTH: Final = 40
# The start of encrypted contents; those of older versions are only signed.
_ENCRYPTED: Final = "2:"
_NONCE_BYTES: Final = 12


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


class Session(AbstractBaseSession):
    """A session with its account: to end all sessions of an account, and to read a
    request's account in one query.
    """

    session_key = SessionKeyField(
        "session key", max_length=ROW_KEY_LENGTH, primary_key=True
    )
    account = models.ForeignKey(
        Account, null=True, on_delete=models.CASCADE, related_name="sessions"
    )

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        """Return the store that reads and writes these rows."""
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's database store, which also records the account and encrypts."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the model of these rows."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row for this session's contents."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.account_id = data.get("_auth_user_id")
        return row

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Return the contents as a text that only this site's SECRET_KEY decrypts."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        plain = json.dumps(session_dict, separators=(",", ":")).encode()
        encrypted = _cipher(settings.SECRET_KEY).encrypt(nonce, plain, None)
        return _ENCRYPTED + base64.b64encode(nonce + encrypted).decode("ascii")

    def decode(self, session_data: str | bytes) -> dict[str, Any]:
        """Return the contents; none if the text was changed or has another key."""
        text = session_data if isinstance(session_data, str) else session_data.decode()
        if not text.startswith(_ENCRYPTED):
            return super().decode(text)
        try:
            raw = base64.b64decode(text.removeprefix(_ENCRYPTED))
            nonce, encrypted = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
            plain = _cipher(settings.SECRET_KEY).decrypt(nonce, encrypted, None)
            contents: dict[str, Any] = json.loads(plain)
        except (InvalidTag, ValueError):
            return {}
        return contents


@lru_cache(maxsize=2)
def _cipher(secret_key: str) -> AESGCM:
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel session")
    return AESGCM(derived.derive(secret_key.encode()))
