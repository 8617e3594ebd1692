"""Sign-in sessions, stored in the database with their account.

Both the model and its store live here because Django looks for `SessionStore` in the
module that SESSION_ENGINE names.
"""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from game.models.accounts.account import Account
from game.models.accounts.session_data import (
    PREFIX,
    decrypt_session,
    encrypt_session,
)
from game.models.accounts.session_key import SessionKeyField


class Session(AbstractBaseSession):
    """A session with its account: to end all sessions of an account, and to read a
    request's account in one query. Its key is stored hashed.
    """

    session_key = SessionKeyField("session key", max_length=40, primary_key=True)
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
        """Return the contents as they are stored."""
        return encrypt_session(session_dict)

    def decode(self, session_data: str | bytes) -> dict[str, Any]:
        """Return the stored contents; those of older versions are only signed."""
        text = session_data if isinstance(session_data, str) else session_data.decode()
        if text.startswith(PREFIX):
            return decrypt_session(text)
        return super().decode(text)
