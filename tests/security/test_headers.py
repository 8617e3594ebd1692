"""Security headers on every kind of response; methods, files, cookies."""

import http.client
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from game.models import Account
from game.services.accounts.accounts import guest_create
from tests.api.ws.web_process import WebProcess
from tests.fixtures.races import now
from tests.fixtures.runs import signed_in

# Requests that different parts of the site answer.
REQUESTS = (
    ("GET", "/", "the page"),
    ("GET", "/races", "a route of the page"),
    ("GET", "/nothing.php", "nothing"),
    ("GET", "/healthz", "health"),
    ("GET", "/api/v1/rulesets/", "JSON"),
    ("GET", "/api/v1/account/", "a problem"),
    ("GET", "/api/v1/none/", "an unknown route"),
    ("GET", "/api/v1/schema/", "the OpenAPI file"),
    ("GET", "/api/v1/docs/", "its page"),
    ("POST", "/api/v1/session/guest/", "a cookie"),
    ("GET", "/_allauth/browser/v1/auth/session", "the sign-in API"),
    ("GET", "/static/theme.js", "a file"),
    ("GET", "/static/none.js", "no file"),
    ("POST", "/api/v1/runs/abcdefgh/moves/", "a move"),
    ("DELETE", "/api/v1/races/", "no such method"),
)
POLICY = ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")


def ask(web: WebProcess, method: str, path: str) -> Any:
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)) as wire:
        wire.request(method, path, headers={"X-Forwarded-Proto": "https"})
        answer = wire.getresponse()
        answer.body = answer.read()  # type: ignore[attr-defined]
        return answer


@pytest.fixture(scope="session")
def deployed_web(django_db_setup: None, security_folder: Path) -> Iterator[WebProcess]:
    """A process with the settings of a site behind TLS."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.security.deployed_settings"}
    web = WebProcess(security_folder, **settings).start()
    yield web
    web.stop()


@pytest.mark.parametrize(("method", "path", "what"), REQUESTS)
def test_security_headers(
    transactional_db: None, deployed_web: WebProcess, method: str, path: str, what: str
) -> None:
    answer = ask(deployed_web, method, path)
    assert answer.status < 500, what
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    hsts = answer.headers["Strict-Transport-Security"]
    assert int(re.findall(r"max-age=(\d+)", hsts)[0]) >= 31_536_000
    assert "includeSubDomains" in hsts
    assert answer.headers["Access-Control-Allow-Origin"] is None
    policy = answer.headers["Content-Security-Policy"]
    for directive in POLICY:
        assert directive in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    kind = answer.headers["Content-Type"] or ""
    if kind.startswith("text/"):
        assert "charset=" in kind
    for name in ("Server", "X-Powered-By"):
        assert not re.search(r"\d+\.\d+", answer.headers[name] or "")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/account/",
        "/api/v1/account/blocks/",
        "/api/v1/standing/",
        "/api/v1/runs/",
        "/api/v1/races/",
        "/api/v1/tokens/",
    ],
)
def test_private_responses_are_not_cached(ada: Account, path: str) -> None:
    answer = signed_in(ada).get(path)
    assert answer.status_code == 200
    assert "no-store" in answer.headers.get("Cache-Control", "")


@pytest.mark.parametrize("method", ["TRACE", "TRACK", "CONNECT", "PROPFIND", "OPTIONS"])
def test_unused_methods_are_refused(bare_web: WebProcess, method: str) -> None:
    for path in ("/", "/api/v1/races/", "/api/v1/runs/abcdefgh/moves/"):
        assert ask(bare_web, method, path).status in (400, 403, 404, 405, 501), path


@pytest.mark.parametrize(
    "path",
    [
        *("/.git/config", "/.git/HEAD", "/.env", "/manage.py", "/var/seed_key"),
        *("/static/../manage.py", "/static/%2e%2e/manage.py", "/static/..%2fmanage.py"),
        *(
            "/static//etc/passwd",
            "/static/....//manage.py",
            "/static/",
            "/static/assets/",
        ),
        *("/assets/", "/admin/../.git/config", "/api/v1/../../.git/config"),
        *("/__debug__/", "/server-status", "/phpinfo.php"),
    ],
)
def test_no_file_outside_the_page_is_served(bare_web: WebProcess, path: str) -> None:
    answer = ask(bare_web, "GET", path)
    # On a route of the client, the page itself says "not found".
    is_page = answer.status == 200 and b'<div id="app">' in answer.body
    assert is_page or answer.status in (301, 302, 400, 404), answer.status


def test_errors_reveal_no_internals(bare_web: WebProcess) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", bare_web.port)) as wire:
        for path in ("/nothing.php", "/api/v1/none/", "/api/v1/runs/x/", "/\x7f"):
            wire.request("GET", path.encode("ascii", "ignore").decode().strip("\x7f"))
            body = wire.getresponse().read()
            for word in (
                b"Traceback",
                b"/game/",
                b"site-packages",
                b"SELECT",
                b"DEBUG",
            ):
                assert word not in body


@pytest.mark.django_db
def test_cookie_attributes(settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client = Client()
    client.post("/api/v1/session/guest/", "{}", content_type="application/json")
    session, csrf = client.cookies["sessionid"], client.cookies["csrftoken"]
    browser = client.cookies["browser"]
    for cookie in (session, csrf, browser):
        assert cookie["samesite"] == "Lax"
        assert cookie["secure"]
        assert not cookie["domain"]
        assert len(cookie.OutputString()) < 4096
    # No response body contains the secret ones.
    answer = client.get("/api/v1/account/")
    for cookie in (session, browser):
        assert cookie["httponly"]
        assert cookie.value.encode() not in answer.content


@pytest.mark.django_db
def test_session_keys_are_random() -> None:
    """32 characters out of 36: 165 bits."""
    keys = {
        signed_in(guest_create(at=now())).cookies["sessionid"].value for _ in range(20)
    }
    assert len(keys) == 20
    assert all(re.fullmatch(r"[a-z0-9]{32}", key) for key in keys)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/api/v1/runs/", "/api/v1/account/", "/api/v1/tokens/"]
)
def test_get_and_head_change_nothing(ada: Account, path: str) -> None:
    """GET and HEAD are not protected by the CSRF token, so they must not write."""
    client = signed_in(ada)
    before = (Account.objects.count(), ada.preferences)
    for ask_it in (client.get, client.head):
        assert ask_it(path, {"name": "x", "seed": "a"}).status_code == 200
    ada.refresh_from_db()
    assert (Account.objects.count(), ada.preferences) == before
