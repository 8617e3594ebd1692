"""Sign-in sessions, stored in the database with their account.

Both the model and its store live here because Django looks for `SessionStore` in the
module that SESSION_ENGINE names.
"""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from game.models.accounts.account import Account


class Session(AbstractBaseSession):
    """A session with its account: to end all sessions of an account, and to read a
    request's account in one query.
    """

    account = models.ForeignKey(
        Account, null=True, on_delete=models.CASCADE, related_name="sessions"
    )

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        """Return the store that reads and writes these rows."""
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's database store, which also records the session's account."""

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
