"""Sign-in sessions, kept in the database beside the account they belong to.

Both the model and its store live here because Django looks for `SessionStore` in the
module that SESSION_ENGINE names.
"""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from game.models.accounts.account import Account


class Session(AbstractBaseSession):
    """A session that knows its account: to end all of somebody's, and to read a
    signed-in request's account in one statement.
    """

    account = models.ForeignKey(
        Account, null=True, on_delete=models.CASCADE, related_name="sessions"
    )

    @classmethod
    def get_session_store_class(cls) -> "type[SessionStore]":
        """The store that reads and writes these rows."""
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's database store, noting whose session it is."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row for this session's contents."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.account_id = data.get("_auth_user_id")
        return row
