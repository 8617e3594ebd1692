"""Authentication: a program's token, or the session cookie with its CSRF check.

`TokenIdentity` and `SessionIdentity` serve REST framework's views. `authenticate` gives
the same answer for moves and reads the token or session with its account in one
statement. In a request with an Authorization header cookies are ignored.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from rest_framework import exceptions
from rest_framework.authentication import (
    BaseAuthentication,
    CSRFCheck,
    SessionAuthentication,
)
from rest_framework.request import Request

from api.rest.core.client_address import client_network
from game.models import Account, Session, Token
from game.services.accounts.tokens import token_find
from game.services.core.rate_limits import BAD_TOKEN_BY_ADDRESS
from game.services.core.restrictions import require_not_banned
from game.services.core.throttles import throttle

REALM = 'Bearer realm="scoundrel"'


@dataclass(frozen=True, slots=True)
class Caller:
    """The account that sent a request; `token` if a program authenticated by one."""

    account_id: str
    token: Token | None = None


class TokenIdentity(BaseAuthentication):
    """Token authentication for programs: `Authorization: Bearer sdl_...`."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        """The token's account and the token. Raises token.invalid (401)."""
        if not has_authorization(request):
            return None
        token = token_of(request)
        if token is None:
            raise exceptions.AuthenticationFailed(
                "That token is unknown, revoked or expired.", "token.invalid"
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return REALM


class SessionIdentity(SessionAuthentication):
    """Session authentication that answers 401 (not 403) to anonymous requests."""

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return REALM

    def enforce_csrf(self, request: HttpRequest | Request) -> None:
        """Raise csrf.failed (403) unless the request has a valid CSRF token."""
        reason = csrf_refusal(request)
        if reason:
            raise exceptions.PermissionDenied(reason, "csrf.failed")


def account_of(request: Request) -> Account:
    """The signed-in account. Only for views that require one."""
    assert isinstance(request.user, Account)
    return request.user


def has_authorization(request: Any) -> bool:
    """Whether a program sent the request: its cookies are ignored."""
    return bool(_authorization(request))


def _authorization(request: Any) -> str:
    return str(request.META.get("HTTP_AUTHORIZATION", ""))


def token_of(request: Any) -> Token | None:
    """The valid token in the Authorization header, or None.

    Raises throttled if the address has sent too many invalid ones.
    """
    scheme, _, text = _authorization(request).partition(" ")
    now = timezone.now()
    token = token_find(text.strip(), at=now) if scheme.lower() == "bearer" else None
    if token is None:
        throttle(BAD_TOKEN_BY_ADDRESS, client_network(request), at=now)
    return token


def _no_view(request: HttpRequest) -> HttpResponse:
    """The view argument of the CSRF check, which never calls it."""
    raise NotImplementedError


def csrf_refusal(request: Any) -> str | None:
    """Why the CSRF check fails, or None if it passes."""
    check = CSRFCheck(lambda _: None)  # type: ignore[arg-type]
    check.process_request(request)
    reason = check.process_view(request, _no_view, (), {})
    return f"CSRF check: {reason}" if reason else None


def is_cross_site(request: Any) -> bool:
    """Whether the Origin header names another site.

    For requests without a cookie, and so without a CSRF check: becoming a guest.
    """
    origin = request.META.get("HTTP_ORIGIN")
    own_origin = f"{request.scheme}://{request.get_host()}"
    return origin not in (None, own_origin, *settings.CSRF_TRUSTED_ORIGINS)


def authenticate(request: HttpRequest) -> Caller | None:
    """The account that sent the request, or None; reads the database once.

    Raises account.banned, and throttled after many wrong tokens.
    """
    if not has_authorization(request):
        return _session_caller(request)
    token = token_of(request)
    if token is None:
        return None
    require_not_banned(token.user, at=timezone.now())
    return Caller(token.user_id, token)


def _session_caller(request: HttpRequest) -> Caller | None:
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
        .only(
            "session_key",
            "session_data",
            "account__id",
            "account__password",
            "account__banned_until",
        )
        .first()
    )
    if session is None or session.account is None:
        return None
    stored = session.get_decoded()
    if stored.get(SESSION_KEY) != session.account_id:
        return None
    expected = session.account.get_session_auth_hash()
    if not constant_time_compare(stored.get(HASH_SESSION_KEY, ""), expected):
        return None
    require_not_banned(session.account, at=timezone.now())
    return Caller(str(session.account_id))
