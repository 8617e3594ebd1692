"""Who is asking: the session cookie with its CSRF check.

Two readers of one truth: `SessionIdentity` for the rest framework's views, and
`account_id_of` for the move door, which reads session and account in one statement.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from rest_framework import exceptions
from rest_framework.authentication import CSRFCheck, SessionAuthentication
from rest_framework.request import Request

from game.models import Session

REALM = 'Bearer realm="scoundrel"'


class SessionIdentity(SessionAuthentication):
    """The browser's way in; says 401, not 403, to whoever is not signed in."""

    def authenticate_header(self, request: Request) -> str:
        """What a program should send instead."""
        return REALM

    def enforce_csrf(self, request: HttpRequest | Request) -> None:
        """Refuse a write that a page of ours did not send."""
        reason = csrf_refusal(request)
        if reason:
            raise exceptions.PermissionDenied(reason, "csrf.failed")


def _no_view(request: HttpRequest) -> HttpResponse:
    """Stands for the view where only its CSRF check is wanted."""
    raise NotImplementedError


def csrf_refusal(request: Any) -> str | None:
    """Why a cookie-authenticated write is not believed, or None."""
    check = CSRFCheck(lambda _: None)  # type: ignore[arg-type]
    check.process_request(request)
    reason = check.process_view(request, _no_view, (), {})
    return f"CSRF check: {reason}" if reason else None


def account_id_of(request: HttpRequest) -> str | None:
    """The account of the session cookie, or None; reads the database once."""
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not cookie:
        return None
    session = (
        Session.objects.select_related("account")
        .filter(
            session_key=cookie,
            expire_date__gt=timezone.now(),
            account__is_active=True,
        )
        .only("session_key", "session_data", "account__id", "account__password")
        .first()
    )
    if session is None or session.account is None:
        return None
    said = session.get_decoded()
    if said.get(SESSION_KEY) != session.account_id:
        return None
    known = session.account.get_session_auth_hash()
    if not constant_time_compare(said.get(HASH_SESSION_KEY, ""), known):
        return None
    return str(session.account_id)
