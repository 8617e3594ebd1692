"""Who may come in, as what, and whether he has just shown who he is.

Signing in is the site's own page; the session's proofs are read by whatever the
settings name (PROVED_AT), since one door does not import another.
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

STATUS = {
    Kind.MALFORMED: 400,
    Kind.NOT_FOUND: 404,
    Kind.FORBIDDEN: 403,
    Kind.CONFLICT: 409,
    Kind.THROTTLED: 429,
    Kind.UNAVAILABLE: 503,
}


def account_in(request: HttpRequest) -> Account | None:
    """Who is signed in; guests count as nobody here."""
    user = request.user
    return user if isinstance(user, Account) and not user.is_guest else None


def role_in(request: HttpRequest) -> StaffRole:
    """The role of who is signed in, by the row that the session has read already."""
    account = account_in(request)
    return role_of(account) if account else StaffRole.NOBODY


def role_required(request: HttpRequest, least: StaffRole) -> None:
    """Raises staff.role."""
    if role_in(request) < least:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "staff.role",
            f"That is for {least.key}s: your role does not allow it.",
        )


def actor_in(request: HttpRequest) -> Actor:
    """Who acts, with the moment at which this session last proved it."""
    account = account_in(request)
    assert account is not None  # the site lets nobody else this far
    proved: Callable[[HttpRequest, Account], datetime | None]
    proved = import_string(settings.PROVED_AT)
    return Actor(account.id, proved(request, account))


def is_fresh(request: HttpRequest, at: datetime) -> bool:
    """Whether an act would be let through now, as far as the proof goes."""
    proved_at = actor_in(request).proved_at
    return proved_at is not None and proved_at > at - PROOF_VALID_FOR


def to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """To the site's own sign-in, which leads back here."""
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{settings.LOGIN_URL}?{query}")


def status_of(refusal: Any) -> int:
    """The HTTP status of a refusal; of a rule's own, that it is malformed."""
    return STATUS[refusal.kind] if isinstance(refusal, ServiceRefusal) else 400
