"""The gate before a socket: from which page, from which address, by whose right.

A browser's socket needs the Origin of this very site and the session cookie. A bot's
needs `Authorization: Bearer` and is believed nothing else, so a page elsewhere cannot
borrow a visitor's cookie for it: pages cannot set that header. No token is read from
an address.
"""

from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host

from api.ws.connection import identity
from api.ws.connection.limits import Crowd
from api.ws.connection.sockets import Identity

Scope = MutableMapping[str, Any]

accounts, addresses = Crowd(), Crowd()


class Closed(Exception):  # noqa: N818 - a refusal
    """The gate stays shut: the close code, the reason, and when to come again."""

    def __init__(self, code: int, reason: str, retry_ms: int | None = None) -> None:
        super().__init__(reason)
        self.code, self.reason, self.retry_ms = code, reason, retry_ms


class Caller(NamedTuple):
    """What a handshake says of who calls; `identify` looks it up (in a thread)."""

    address: str
    identify: Callable[[], Identity | None]


def caller_of(scope: Scope, *, is_bot: bool) -> Caller:
    """The caller, from the headers alone.

    Raises:
        Closed: 4403 for a foreign or missing Origin, 4401 without any credentials.
    """
    headers = _headers(scope)
    address = (scope.get("client") or ["unknown"])[0]
    if is_bot:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise Closed(4401, "token.required")
        text = token.strip()
        return Caller(address, lambda: identity.by_bearer(text, at=_now()))
    if not _is_ours(scope, headers):
        raise Closed(4403, "origin.foreign")
    cookies = parse_cookie(headers.get("cookie", ""))
    return Caller(address, lambda: identity.by_cookie(cookies, at=_now()))


def _now() -> datetime:
    return datetime.now(UTC)


def _headers(scope: Scope) -> dict[str, str]:
    # A header that comes twice is joined, as HTTP has it; so a second Origin fails.
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        joint = "; " if name == "cookie" else ", "
        found[name] = f"{found[name]}{joint}{value}" if name in found else value
    return found


def _is_ours(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether the page is one of ours: scheme, host and port, exactly."""
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
        variable, secure = settings.SECURE_PROXY_SSL_HEADER
        name = variable.removeprefix("HTTP_").replace("_", "-").lower()
        said = headers.get(name, "").split(",")[0].strip()
        return bool(said == secure)
    return scope.get("scheme") == "wss"
