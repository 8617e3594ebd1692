"""Check the body and the throttles before each of allauth's views; hide guests.

Errors have allauth's shape, {status, errors: [{code, message}]}; that of a throttle
also has {limit, retry_after_s} and a Retry-After header.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

import structlog
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from api.rest.accounts.sign_in.adapters import pending_account_id
from api.rest.accounts.sign_in.password_limits import (
    account_subject,
    limit_passwords,
    mail_subject,
    text_of,
)
from api.rest.core.bodies import load_object
from api.rest.core.client_address import client_network
from game.models import Account
from game.rules import Refusal
from game.services.core import rate_limits
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.throttles import Limit, subject_of, throttle

log = structlog.get_logger(__name__)

PREFIX = "/_allauth/browser/v1/"
View = Callable[..., HttpResponseBase]
Limits = Iterator[tuple[Limit, str]]


def guard_patterns(
    patterns: list[URLPattern | URLResolver],
) -> list[URLPattern | URLResolver]:
    """Wrap the view of every route in `guard_view`, in place; return the routes."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = guard_view(pattern.callback)
        else:
            guard_patterns(pattern.url_patterns)
    return patterns


def guard_view(view: View) -> View:
    """Return the view with checks before it and guests treated as anonymous."""

    @wraps(view)
    def guarded_view(
        request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        try:
            body = {} if _is_form(request) else load_object(request.body)
            now = timezone.now()
            for limit, subject in limits_of(request, body):
                throttle(limit, subject, at=now)
            if _is_sign_in(request):
                limit_passwords(request, body, at=now)
        except RequestDataTooBig:
            return _error_response(
                413, "body.too_large", "The request body is too large."
            )
        except Refusal as refusal:
            return _refusal_response(refusal)
        if isinstance(request.user, Account) and request.user.is_guest:
            request.user = AnonymousUser()
        try:
            return view(request, *args, **kwargs)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            return _answer_known_error(request, error)

    return guarded_view


def _is_sign_in(request: HttpRequest) -> bool:
    return request.method == "POST" and request.path_info == f"{PREFIX}auth/login"


def _answer_known_error(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer two errors that allauth raises for bad input; raise any other."""
    if request.method != "GET" and "webauthn" in request.path_info:
        # The library reads a credential's fields without checking them.
        log.info("credential_malformed", error=repr(error))
        return _error_response(
            400, "credential.malformed", "This is not a valid passkey response."
        )
    if (
        pending_account_id(request)
        and not Account.objects.filter(id=pending_account_id(request)).exists()
    ):
        # Another tab finished this sign-up or started it again.
        request.session.flush()
        return JsonResponse({"status": 409}, status=409)
    raise error


def _is_form(request: HttpRequest) -> bool:
    """Whether this is the only route that takes a form: sign-in by another site."""
    return request.path_info == f"{PREFIX}auth/provider/redirect"


def limits_of(request: HttpRequest, body: Mapping[str, Any]) -> Limits:
    """Return each limit that this request counts against, and its subject."""
    network = client_network(request)
    route = request.path_info.removeprefix(PREFIX)
    writes = request.method != "GET"
    if writes or "verify" in route or "reset" in route:
        yield rate_limits.ALLAUTH_BY_ADDRESS, network
    by_route = _BY_ROUTE.get(route)
    if by_route and (writes or route in ("auth/email/verify", "auth/password/reset")):
        yield from by_route(request, body, network)


def _sign_in_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    yield rate_limits.SIGN_IN_BY_ADDRESS, network


def _sign_up_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    yield rate_limits.SIGN_UP_BY_ADDRESS, network
    yield from _mail_limits(request, body, network)


def _reset_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    yield rate_limits.RESET_BY_ADDRESS, network
    email = text_of(body, "email")
    if email:
        yield rate_limits.MAIL_BY_EMAIL, mail_subject(request, email)


def _mail_limits(request: HttpRequest, body: Mapping[str, Any], network: str) -> Limits:
    email = text_of(body, "email")
    if email:
        yield rate_limits.MAIL_BY_EMAIL, subject_of(email.casefold())


def _resend_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    pending = request.session.get("account_email_verification_code") or {}
    yield from _mail_limits(request, pending, network)


def _code_limits(request: HttpRequest, body: Mapping[str, Any], network: str) -> Limits:
    yield rate_limits.CODE_BY_ADDRESS, network
    pending = pending_account_id(request)
    if pending:
        yield rate_limits.CODE_BY_ACCOUNT, account_subject(request, pending)


def _password_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    if request.user.is_authenticated:
        yield rate_limits.PASSWORD_BY_ACCOUNT, str(request.user.pk)


def _own_mail_limits(
    request: HttpRequest, body: Mapping[str, Any], network: str
) -> Limits:
    if request.method in ("POST", "PUT"):
        yield from _mail_limits(request, body, network)


_BY_ROUTE: dict[str, Callable[[HttpRequest, Mapping[str, Any], str], Limits]] = {
    "auth/login": _sign_in_limits,
    "auth/signup": _sign_up_limits,
    "auth/password/request": _reset_limits,
    "auth/password/reset": _code_limits,
    "auth/email/verify": _code_limits,
    "auth/email/verify/resend": _resend_limits,
    "auth/2fa/authenticate": _code_limits,
    "auth/webauthn/authenticate": _code_limits,
    "auth/webauthn/login": _code_limits,
    "auth/reauthenticate": _password_limits,
    "auth/reauthenticate/code/request": _password_limits,
    "auth/reauthenticate/code/confirm": _password_limits,
    "auth/2fa/reauthenticate": _password_limits,
    "auth/webauthn/reauthenticate": _password_limits,
    "account/password/change": _password_limits,
    "account/authenticators/totp": _password_limits,
    "account/email": _own_mail_limits,
}


def _refusal_response(refusal: Refusal) -> HttpResponse:
    is_throttled = (
        isinstance(refusal, ServiceRefusal) and refusal.kind is Kind.THROTTLED
    )
    return _error_response(
        429 if is_throttled else 400, refusal.code, refusal.text, **refusal.detail
    )


def _error_response(status: int, code: str, message: str, **more: Any) -> HttpResponse:
    errors = [{"code": code, "message": message}]
    answer = JsonResponse({"status": status, "errors": errors, **more}, status=status)
    answer["Cache-Control"] = "no-store"
    if "retry_after_s" in more:
        answer["Retry-After"] = str(more["retry_after_s"])
    return answer
