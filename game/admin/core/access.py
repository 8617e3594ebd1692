"""Who uses the admin site, in which role, and when they last proved their identity.

Staff sign in on the site's own page. The setting PROVED_AT names the function that
reads the proof from the session, because entry points do not import each other.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.module_loading import import_string

from game.contest.moderation.roles import StaffRole
from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.roles import PROOF_VALID_FOR, Actor, role_of

HTTP_STATUS = {
    Kind.MALFORMED: 400,
    Kind.NOT_FOUND: 404,
    Kind.FORBIDDEN: 403,
    Kind.CONFLICT: 409,
    Kind.THROTTLED: 429,
    Kind.UNAVAILABLE: 503,
}


def signed_in_account(request: HttpRequest) -> Account | None:
    """Return the account that is signed in; None for guests."""
    user = request.user
    return user if isinstance(user, Account) and not user.is_guest else None


def request_role(request: HttpRequest) -> StaffRole:
    """Return the role of the account that is signed in. Runs no query."""
    account = signed_in_account(request)
    return role_of(account) if account else StaffRole.NOBODY


def require_role(request: HttpRequest, min_role: StaffRole) -> None:
    """Raises staff.role."""
    if request_role(request) < min_role:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "staff.role",
            f"This page needs the role {min_role.key}.",
        )


def request_actor(request: HttpRequest) -> Actor:
    """Return the account with the time of the session's last proof of identity."""
    account = signed_in_account(request)
    assert account is not None  # `admin_view` lets only staff through
    read_proof: Callable[[HttpRequest, Account], datetime | None]
    read_proof = import_string(settings.PROVED_AT)
    return Actor(account.id, read_proof(request, account))


def has_recent_proof(request: HttpRequest, at: datetime) -> bool:
    """Return whether the proof of identity is recent enough to act."""
    proved_at = request_actor(request).proved_at
    return proved_at is not None and proved_at > at - PROOF_VALID_FOR


def redirect_to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the site's sign-in page, which leads back here."""
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{settings.LOGIN_URL}?{query}")


def refusal_status(refusal: Any) -> int:
    """Return the HTTP status of a refusal; 400 for a refusal of the rules."""
    return HTTP_STATUS[refusal.kind] if isinstance(refusal, ServiceRefusal) else 400
