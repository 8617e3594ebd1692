"""Limits of wrong passwords and codes that do not lock the owner of an account out.

Attempts at one account count together, whether by name or by e-mail. Above the limit
only places where the account has never signed in are refused.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from api.rest.core.browser_cookie import browser_of
from game.models import name_key
from game.services.accounts.sign_in import account_of_login
from game.services.accounts.sign_in_places import place_familiarity
from game.services.core import rate_limits
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.throttles import subject_of, throttle

_REFUSED = "_sign_in_is_refused_here"


def text_of(body: Mapping[str, Any], field: str) -> str:
    """Return a text in a request's body, or an empty one."""
    value = body.get(field)
    return value if isinstance(value, str) else ""


def limit_passwords(
    request: HttpRequest, body: Mapping[str, Any], *, at: datetime
) -> None:
    """Count a sign-in by password.

    Raises throttled (this browser or network has tried this name too often) and
    sign_in.new_place (the account has had too many attempts, and never signed in here).
    By e-mail the latter is not raised, since it would show that the e-mail belongs to
    the account: the password counts as wrong, see `is_refused_here`.
    """
    name, email = text_of(body, "username"), text_of(body, "email")
    account = account_of_login(name=name, email=email)
    typed_name, browser = subject_of(name_key(name or email)), browser_of(request)
    account_id = account.id if account else ""
    familiarity = place_familiarity(account_id, browser, at=at)
    # A familiar browser has a count of its own, so that neighbours do not use it up.
    is_known = familiarity.is_known_browser
    here = browser.cookie_hash if is_known else browser.network_hash
    throttle(rate_limits.SIGN_IN_BY_NAME_HERE, f"{here}:{typed_name}", at=at)
    try:
        throttle(rate_limits.SIGN_IN_BY_NAME, account_id or typed_name, at=at)
    except ServiceRefusal as refusal:
        if any(familiarity):
            return
        if not name:
            setattr(request, _REFUSED, True)
            return
        raise _new_place_refusal(refusal) from refusal


def is_refused_here(request: HttpRequest | None) -> bool:
    """Whether any password must be answered as a wrong one."""
    return bool(getattr(request, _REFUSED, False))


def _new_place_refusal(refusal: ServiceRefusal) -> ServiceRefusal:
    minutes = -(-int(refusal.detail["retry_after_s"]) // 60)
    return ServiceRefusal(
        Kind.THROTTLED,
        "sign_in.new_place",
        "There were too many wrong passwords for this name. It can sign in where it has"
        f" signed in before; elsewhere in {minutes} min, or after a password reset.",
        refusal.detail,
    )


def account_subject(request: HttpRequest, account_id: str) -> str:
    """Return what codes for the account count against: it, or its familiar browser."""
    browser = browser_of(request)
    familiarity = place_familiarity(account_id, browser, at=timezone.now())
    if familiarity.is_known_browser:
        return f"{account_id}:{browser.cookie_hash}"
    return account_id


def mail_subject(request: HttpRequest, email: str) -> str:
    """Return what mails to the address count against: it, or a familiar browser."""
    account, typed_email = account_of_login(email=email), subject_of(email.casefold())
    browser = browser_of(request)
    account_id = account.id if account else ""
    familiarity = place_familiarity(account_id, browser, at=timezone.now())
    if familiarity.is_known_browser:
        return f"{typed_email}:{browser.cookie_hash}"
    return typed_email
