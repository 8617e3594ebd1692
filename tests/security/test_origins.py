"""Which origins may write with a browser's cookie or open a socket."""

from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from game.models import Account
from game.services.accounts.accounts import guest_create
from tests.api.ws.web_process import WebProcess, session_cookie
from tests.fixtures.accounts import person, token_of
from tests.fixtures.races import now

HOST = "scoundrel.example"
OURS = f"https://{HOST}"
FOREIGN = (
    "https://evil.example",
    f"http://{HOST}",
    f"{OURS}:8443",
    f"https://x.{HOST}",
    f"https://{HOST}.evil.example",
    "null",
    "",
)


def browser(account: Account | None) -> tuple[Client, str]:
    """Return an HTTPS client that checks CSRF as in production, and its token."""
    client = Client(enforce_csrf_checks=True)
    if account is not None:
        client.force_login(account)
    token = "a" * 32
    client.cookies = SimpleCookie({**{k: v.value for k, v in client.cookies.items()}})
    client.cookies["csrftoken"] = token
    return client, token


def post(client: Client, path: str = "/api/v1/runs/", **headers: str) -> Any:
    return client.post(
        path,
        "{}",
        content_type="application/json",
        secure=True,
        headers={"Host": HOST, **headers},
    )


@pytest.fixture(autouse=True)
def hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = [HOST, "127.0.0.1"]


@pytest.mark.django_db
@pytest.mark.parametrize("token_is", ["right", "wrong", "missing"])
@pytest.mark.parametrize(
    ("headers", "is_ours"),
    [
        ({"Origin": OURS}, True),
        ({"Referer": f"{OURS}/races"}, True),
        *(({"Origin": origin}, False) for origin in FOREIGN),
        *(({"Referer": f"{origin}/x"}, False) for origin in FOREIGN[:5]),
        ({}, False),
        ({"Origin": "https://evil.example", "Referer": f"{OURS}/"}, False),
    ],
)
def test_write_by_cookie_needs_origin_and_csrf_token(
    ada: Account, headers: dict[str, str], is_ours: bool, token_is: str
) -> None:
    client, token = browser(ada)
    sent = {"right": {"X-CSRFToken": token}, "wrong": {"X-CSRFToken": "b" * 32}}
    answer = post(client, **headers, **sent.get(token_is, {}))
    if is_ours and token_is == "right":
        assert answer.status_code == 201
    else:
        assert answer.status_code == 403
        assert answer.json()["code"] == "csrf.failed"


@pytest.mark.django_db
@pytest.mark.parametrize("origin", [OURS, *FOREIGN])
def test_token_works_from_any_origin(origin: str) -> None:
    """A page cannot make a browser send a bearer token."""
    _, header = token_of(person("Prog"), "play")
    client, _ = browser(None)
    assert post(client, **header, Origin=origin).status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("origin", FOREIGN)
def test_other_sites_cannot_create_guests_or_sign_in(origin: str) -> None:
    client, token = browser(None)
    guest = "/api/v1/session/guest/"
    assert post(client, guest, Origin=origin).status_code == 403
    assert post(client, guest, Origin=OURS).status_code == 201
    client, token = browser(None)
    login = "/_allauth/browser/v1/auth/login"
    answer = post(client, login, Origin=origin, **{"X-CSRFToken": token})
    assert answer.status_code == 403


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_form_content_types_are_refused(ada: Account, kind: str) -> None:
    """Browsers send such bodies to other origins without a preflight request."""
    client, token = browser(ada)
    answer = client.post(
        "/api/v1/runs/",
        '{"seed": "a"}',
        content_type=kind,
        secure=True,
        headers={"Host": HOST, "Origin": OURS, "X-CSRFToken": token},
    )
    assert answer.status_code == 415


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/account/", "/api/v1/runs/", "/", "/healthz"])
def test_no_cors_headers_are_sent(ada: Account, path: str) -> None:
    client, _ = browser(ada)
    asked = {"Host": HOST, "Origin": "https://evil.example"}
    for ask in (client.get, client.options):
        preflight = asked | {"Access-Control-Request-Method": "POST"}
        answer = ask(path, secure=True, headers=preflight)
        assert not [name for name in answer.headers if name.startswith("Access-Contr")]


# --- Sockets: the handshake itself, in a real process -----------------------------


def opened(
    web: WebProcess, path: str, headers: dict[str, str], origin: str | None
) -> str:
    """Return "welcome", or the code that the socket was closed with."""
    try:
        with connect(
            web.socket_url(path),
            origin=origin,  # type: ignore[arg-type]
            additional_headers=headers,
        ) as socket:
            try:
                while b'"welcome"' not in socket.recv(10, decode=False):
                    continue
            except ConnectionClosed as closed:
                return str(closed.rcvd.code if closed.rcvd else 1006)
            return "welcome"
    except InvalidStatus as refused:
        return f"http {refused.response.status_code}"


def test_socket_by_cookie_needs_the_own_origin(bare_web: WebProcess) -> None:
    account = guest_create(at=now())
    cookie = {"Cookie": session_cookie(account)}
    port = bare_web.port
    foreign = [
        None,
        "null",
        "https://evil.example",
        "http://127.0.0.1",
        f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port + 1}",
        f"http://localhost:{port}",
        f"http://127.0.0.1:{port}.evil.example",
        f"http://x.127.0.0.1:{port}",
    ]
    assert opened(bare_web, "lobby/", cookie, bare_web.origin) == "welcome"
    assert opened(bare_web, "lobby/", {}, bare_web.origin) == "4401"
    for origin in foreign:
        # A value that is no origin is refused in the handshake.
        found = opened(bare_web, "lobby/", cookie, origin)
        assert found in ("4403", "http 400"), origin


def test_socket_by_token_works_from_any_origin(bare_web: WebProcess) -> None:
    _, header = token_of(person("Prog"), "read")
    account = guest_create(at=now())
    for origin in (None, bare_web.origin, "https://evil.example"):
        assert opened(bare_web, "bot/lobby/", header, origin) == "welcome"
        cookie = {"Cookie": session_cookie(account)}
        assert opened(bare_web, "bot/lobby/", cookie, origin) == "4401"
    # A token is not accepted in the address or on the browsers' path.
    token = header["Authorization"].split()[1]
    assert opened(bare_web, f"bot/lobby/?token={token}", {}, None) == "4401"
    assert opened(bare_web, "lobby/", header, bare_web.origin) == "4401"
