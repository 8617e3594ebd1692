"""Who is asking: a program's token, or the session cookie with its CSRF check.

Two readers of one truth: `TokenIdentity` and `SessionIdentity` for the rest framework's
views, and `asker_of` for the move door, which reads token or session and account in one
statement. A request with an Authorization header is a program's: cookies are ignored.
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

from api.rest.core.client_address import network_of
from game.models import Account, Session, Token
from game.services.accounts.tokens import token_find
from game.services.core.limits import BAD_TOKEN_BY_ADDRESS
from game.services.core.restrictions import require_not_banned
from game.services.core.throttles import throttle

REALM = 'Bearer realm="scoundrel"'


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose request it is; `token` where a program sent it."""

    account_id: str
    token: Token | None = None


class TokenIdentity(BaseAuthentication):
    """A program's way in: `Authorization: Bearer sdl_...`."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        """The token's account and the token; 401 for one that is not live."""
        if not _authorization(request):
            return None
        token = token_of(request)
        if token is None:
            raise exceptions.AuthenticationFailed(
                "That token is unknown, revoked or expired.", "token.invalid"
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """What a program should send instead."""
        return REALM


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


def account_of(request: Request) -> Account:
    """The account that is signed in; views that call it admit nobody else."""
    assert isinstance(request.user, Account)
    return request.user


def _authorization(request: Any) -> str:
    return str(request.META.get("HTTP_AUTHORIZATION", ""))


def token_of(request: Any) -> Token | None:
    """The live token that the Authorization header names, or None.

    Raises throttled where an address keeps sending wrong ones.
    """
    scheme, _, text = _authorization(request).partition(" ")
    now = timezone.now()
    found = token_find(text.strip(), at=now) if scheme.lower() == "bearer" else None
    if found is None:
        throttle(BAD_TOKEN_BY_ADDRESS, network_of(request), at=now)
    return found


def _no_view(request: HttpRequest) -> HttpResponse:
    """Stands for the view where only its CSRF check is wanted."""
    raise NotImplementedError


def csrf_refusal(request: Any) -> str | None:
    """Why a cookie-authenticated write is not believed, or None."""
    check = CSRFCheck(lambda _: None)  # type: ignore[arg-type]
    check.process_request(request)
    reason = check.process_view(request, _no_view, (), {})
    return f"CSRF check: {reason}" if reason else None


def is_foreign(request: Any) -> bool:
    """Whether a browser says that another site's page sent this.

    For what needs no cookie and so has no CSRF check, such as becoming a guest.
    """
    origin = request.META.get("HTTP_ORIGIN")
    ours = f"{request.scheme}://{request.get_host()}"
    return origin not in (None, ours, *settings.CSRF_TRUSTED_ORIGINS)


def asker_of(request: HttpRequest) -> Asker | None:
    """Whose request it is, or None; reads the database once. Raises account.banned."""
    if _authorization(request):
        token = token_of(request)
        if token is not None:
            require_not_banned(token.user, at=timezone.now())
        return Asker(token.user_id, token) if token else None
    account_id = account_id_of(request)
    return Asker(account_id) if account_id else None


def account_id_of(request: HttpRequest) -> str | None:
    """The account of the session cookie, or None; reads the database once.

    Raises account.banned.
    """
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
    said = session.get_decoded()
    if said.get(SESSION_KEY) != session.account_id:
        return None
    known = session.account.get_session_auth_hash()
    if not constant_time_compare(said.get(HASH_SESSION_KEY, ""), known):
        return None
    require_not_banned(session.account, at=timezone.now())
    return str(session.account_id)
