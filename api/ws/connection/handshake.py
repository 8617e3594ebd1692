"""Checks a websocket handshake: the page it comes from, and its credentials.

A browser's socket needs the Origin of this site and the session cookie. A bot's socket
needs `Authorization: Bearer` and ignores cookies: a page of another site cannot set
that header, so it cannot use a visitor's cookie. A token in the URL is not read.
"""

from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host

from api.ws.connection.identity import Identity, identity_by_cookie, identity_by_token
from api.ws.protocol.close_codes import FORBIDDEN, NOT_SIGNED_IN
from game.contest.networks import address_of_client
from game.services.accounts.browsers import Browser, is_browser_cookie

Scope = MutableMapping[str, Any]


class SocketRefused(Exception):  # noqa: N818 - a refusal
    """A socket that is closed at its start: close code, reason, when to try again."""

    def __init__(
        self, code: int, reason: str, retry_after_ms: int | None = None
    ) -> None:
        super().__init__(reason)
        self.code, self.reason, self.retry_after_ms = code, reason, retry_after_ms


class Handshake(NamedTuple):
    """The browser of a client, and a query for its identity (for a database thread).

    A bot's browser has no cookie.
    """

    browser: Browser
    find_identity: Callable[[], Identity | None]


def check_handshake(scope: Scope, *, is_bot: bool) -> Handshake:
    """Check the headers of a handshake, without the database.

    Raises:
        SocketRefused: 4403 for a foreign or missing Origin, 4401 for a missing token.
    """
    headers = _headers(scope)
    browser = Browser(_client_address(scope, headers), headers.get("user-agent", ""))
    if is_bot:
        kind, _, value = headers.get("authorization", "").partition(" ")
        token = value.strip()
        if kind.lower() != "bearer" or not token:
            raise SocketRefused(NOT_SIGNED_IN, "token.required")
        return Handshake(browser, lambda: identity_by_token(token, at=_now()))
    if not _is_own_origin(scope, headers):
        raise SocketRefused(FORBIDDEN, "origin.foreign")
    cookies = parse_cookie(headers.get("cookie", ""))
    cookie = cookies.get(settings.BROWSER_COOKIE_NAME, "")
    if is_browser_cookie(cookie):
        browser = browser._replace(cookie=cookie)
    return Handshake(browser, lambda: identity_by_cookie(cookies, at=_now()))


def _client_address(scope: Scope, headers: dict[str, str]) -> str:
    return address_of_client(
        peer=(scope.get("client") or [""])[0] or "",
        server=(scope.get("server") or [""])[0] or "",
        forwarded_for=headers.get("x-forwarded-for", ""),
        proxies=settings.TRUSTED_PROXY_COUNT,
    )


def _now() -> datetime:
    return datetime.now(UTC)


def _headers(scope: Scope) -> dict[str, str]:
    # HTTP joins a repeated header with commas; so two Origins match none of ours.
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        separator = "; " if name == "cookie" else ", "
        if name in headers:
            value = f"{headers[name]}{separator}{value}"
        headers[name] = value
    return headers


def _is_own_origin(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether the page belongs to this site: same scheme, host and port."""
    origin = headers.get("origin", "")
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    host = headers.get("host", "")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    scheme = "https" if _is_secure(scope, headers) else "http"
    return origin == f"{scheme}://{host}"


def _is_secure(scope: Scope, headers: dict[str, str]) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER:
        variable, secure_value = settings.SECURE_PROXY_SSL_HEADER
        name = variable.removeprefix("HTTP_").replace("_", "-").lower()
        value = headers.get(name, "").split(",")[0].strip()
        return bool(value == secure_value)
    return scope.get("scheme") == "wss"
