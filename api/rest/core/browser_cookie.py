"""The cookie that tells browsers apart, so that one deck is not ranked twice in one.

It holds a random text and nothing about the visitor. Requests by token have no browser:
their cookies are ignored.
"""

import secrets
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from api.rest.core.authentication import has_authorization
from api.rest.core.client_address import client_address
from api.rest.core.middleware import response_middleware
from game.services.accounts.browsers import Browser, is_browser_cookie

_MAX_AGE: Final = timedelta(days=400)  # the longest that browsers allow
_NEW: Final = "new_browser_cookie"


def browser_of(request: Any) -> Browser:
    """Return what the request tells of its browser, with the cookie if it sent one."""
    sent = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    is_known = not has_authorization(request) and is_browser_cookie(sent)
    return Browser(
        address=client_address(request),
        agent=request.META.get("HTTP_USER_AGENT", ""),
        cookie=sent if is_known else "",
    )


def browser_remember(request: Any) -> Browser:
    """Return the same, with a new cookie if the browser has none.

    `browser_cookie` adds the new cookie to the response.
    """
    browser = browser_of(request)
    if browser.cookie or has_authorization(request):
        return browser
    http = _http_request(request)
    if not hasattr(http, _NEW):
        setattr(http, _NEW, secrets.token_urlsafe(32))
    return browser._replace(cookie=getattr(http, _NEW))


def _set_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    new = getattr(request, _NEW, None)
    if new is not None:
        response.set_cookie(
            settings.BROWSER_COOKIE_NAME,
            new,
            max_age=_MAX_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


# Middleware: send the cookie that `browser_remember` made for this request.
browser_cookie = response_middleware(_set_cookie)


def _http_request(request: Any) -> HttpRequest:
    """Return Django's request; REST framework's views get it wrapped."""
    http: HttpRequest = getattr(request, "_request", request)
    return http
