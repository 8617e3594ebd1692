"""Sign-in sessions: stored under hashed keys, and ended."""

from allauth.core import context
from allauth.usersessions.models import UserSession

from game.models import Session, Token
from game.models.accounts.session import SessionKeyField, row_key


def hash_user_session_keys() -> None:
    """Have allauth's list of sessions store hashed keys too. Twice changes nothing."""
    field = UserSession._meta.get_field("session_key")  # noqa: SLF001
    field.__class__ = SessionKeyField
    UserSession.is_current = _is_current


def _is_current(session: UserSession) -> bool:
    """Whether this row is the session of the present request."""
    key = context.request.session.session_key
    return key is not None and session.session_key == row_key(key)


def sign_everybody_out() -> int:
    """End all sessions and revoke all tokens; return how many.

    A restored backup contains sessions and tokens that were ended since.
    """
    UserSession.objects.all().delete()
    return sum(rows.objects.all().delete()[0] for rows in (Session, Token))
