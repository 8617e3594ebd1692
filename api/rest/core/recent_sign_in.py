"""Whether a session proved its account recently: by sign-in, password or code."""

from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.rate_limits import PASSWORD_BY_ACCOUNT
from game.services.core.throttles import throttle

RECENT_WITHIN = timedelta(minutes=15)
_KEY = "signed_in_at"


def record_sign_in(request: HttpRequest, *, at: datetime) -> None:
    """Store the time of the sign-in in the session."""
    request.session[_KEY] = at.timestamp()


def require_recent_sign_in(
    request: Request, account: Account, password: str | None
) -> None:
    """Require the password, or a sign-in within the last 15 minutes.

    Raises account.password_wrong, account.reauthenticate (403), throttled.
    """
    now = timezone.now()
    if password is not None:
        throttle(PASSWORD_BY_ACCOUNT, account.id, at=now)
        if account.check_password(password):
            return
        raise ServiceRefusal(
            Kind.FORBIDDEN, "account.password_wrong", "The password is wrong."
        )
    if _is_recent(request, account, now):
        return
    raise ServiceRefusal(
        Kind.FORBIDDEN,
        "account.reauthenticate",
        "Send your password, or sign in again first; a sign-in counts for 15 minutes.",
        {"has_password": account.has_usable_password()},
    )


def proved_at(request: HttpRequest | Request, account: Account) -> datetime | None:
    """Return when this session last proved its account, by sign-in, password or code.

    For staff only a second factor counts, or a sign-in since it was set up (which
    required it): a password alone is not enough to act in a session that was left open.
    """
    if account.is_staff or account.is_superuser:
        last = max(_second_factor_times(request, account))
    else:
        last = max(_proof_times(request, account))
    return datetime.fromtimestamp(last, UTC) if last else None


def _is_recent(request: Request, account: Account, now: datetime) -> bool:
    return bool(max(_proof_times(request, account)) > (now - RECENT_WITHIN).timestamp())


def _proof_times(request: HttpRequest | Request, account: Account) -> list[float]:
    proofs = [record.get("at", 0.0) for record in _records(request, account)]
    return [request.session.get(_KEY, 0.0), *proofs]


def _second_factor_times(
    request: HttpRequest | Request, account: Account
) -> list[float]:
    records = _records(request, account)
    moments = [
        record.get("at", 0.0) for record in records if record.get("method") == "mfa"
    ]
    signed_in: float = request.session.get(_KEY, 0.0)
    totp = Authenticator.objects.filter(
        user_id=account.id, type=Authenticator.Type.TOTP
    ).first()
    if totp is not None and signed_in >= totp.created_at.timestamp():
        moments.append(signed_in)
    return [0.0, *moments]


def _records(request: HttpRequest | Request, account: Account) -> list[dict[str, Any]]:
    """Return one record for each proof in this session: {method, at, ...}."""
    session = request.session
    if session.get("account_authentication_methods_user") != account.id:
        return []
    return session.get("account_authentication_methods") or []
