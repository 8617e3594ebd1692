"""Whether somebody has just shown who he is: by a sign-in, or by his password now."""

from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.limits import PASSWORD_BY_ACCOUNT
from game.services.core.throttles import throttle

FRESH_FOR = timedelta(minutes=15)
_KEY = "signed_in_at"


def note_sign_in(request: HttpRequest, *, at: datetime) -> None:
    """Remember in the session when it was signed in."""
    request.session[_KEY] = at.timestamp()


def require_fresh(request: Request, account: Account, password: str | None) -> None:
    """Let pass whoever gives his password or signed in within 15 minutes.

    Raises account.password_wrong, account.reauthenticate (403), throttled.
    """
    now = timezone.now()
    if password is not None:
        throttle(PASSWORD_BY_ACCOUNT, account.id, at=now)
        if account.check_password(password):
            return
        raise ServiceRefusal(
            Kind.FORBIDDEN, "account.password_wrong", "That is not your password."
        )
    if _is_fresh(request, account, now):
        return
    raise ServiceRefusal(
        Kind.FORBIDDEN,
        "account.reauthenticate",
        "Send your password along, or sign in afresh, within 15 minutes.",
        {"has_password": account.has_usable_password()},
    )


def proved_at(request: HttpRequest | Request, account: Account) -> datetime | None:
    """When this session last proved whose it is: by a sign-in, a password or a code.

    Of staff by a second factor alone, or by a whole sign-in since that was set up
    (which asked for it): who only knows a password does not act in a session left open.
    """
    if account.is_staff or account.is_superuser:
        last = max(_factors(request, account))
    else:
        last = max(_moments(request, account))
    return datetime.fromtimestamp(last, UTC) if last else None


def _is_fresh(request: Request, account: Account, now: datetime) -> bool:
    return bool(max(_moments(request, account)) > (now - FRESH_FOR).timestamp())


def _moments(request: HttpRequest | Request, account: Account) -> list[float]:
    proofs = [record.get("at", 0.0) for record in _records(request, account)]
    return [request.session.get(_KEY, 0.0), *proofs]


def _factors(request: HttpRequest | Request, account: Account) -> list[float]:
    records = _records(request, account)
    moments = [one.get("at", 0.0) for one in records if one.get("method") == "mfa"]
    signed_in: float = request.session.get(_KEY, 0.0)
    totp = Authenticator.objects.filter(
        user_id=account.id, type=Authenticator.Type.TOTP
    ).first()
    if totp is not None and signed_in >= totp.created_at.timestamp():
        moments.append(signed_in)
    return [0.0, *moments]


def _records(request: HttpRequest | Request, account: Account) -> list[dict[str, Any]]:
    """How the session was proved, one record each: {method, at, ...}."""
    session = request.session
    if session.get("account_authentication_methods_user") != account.id:
        return []
    return session.get("account_authentication_methods") or []
