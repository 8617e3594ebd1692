"""Who may open a socket: origin, session cookie, bearer token."""

from datetime import UTC, datetime, timedelta

import pytest

from api.ws.connection.handshake import SocketRefused, check_handshake
from api.ws.connection.identity import (
    identity_by_cookie,
    identity_by_token,
    valid_credentials,
)
from game.models import Account, Session
from game.services.accounts.tokens import token_create
from tests.api.ws.web_process import session_cookie

HOST = "scoundrel.example:8130"


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["scoundrel.example"]


def scope(*headers: tuple[str, str], **more: object) -> dict[str, object]:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return {"headers": raw, "client": ["10.0.0.7", 5], **more}


def code_of(*headers: tuple[str, str], is_bot: bool = False) -> int | None:
    try:
        check_handshake(scope(*headers), is_bot=is_bot)
    except SocketRefused as refused:
        return refused.code
    return None


@pytest.mark.parametrize(
    ("origin", "code"),
    [
        ("http://scoundrel.example:8130", None),
        ("https://scoundrel.example:8130", 4403),
        ("http://scoundrel.example", 4403),
        ("http://scoundrel.example:8131", 4403),
        ("http://scoundrel.example:8130/", 4403),
        ("http://scoundrel.example:8130.evil.example", 4403),
        ("http://sub.scoundrel.example:8130", 4403),
        ("HTTP://SCOUNDREL.EXAMPLE:8130", 4403),
        ("http://evil.example", 4403),
        ("null", 4403),
        ("", 4403),
    ],
)
def test_the_origin_must_match_scheme_host_and_port(origin, code):
    assert code_of(("host", HOST), ("origin", origin)) == code


def test_a_missing_or_repeated_origin_is_refused():
    own = f"http://{HOST}"
    assert code_of(("host", HOST)) == 4403
    assert code_of(("host", HOST), ("origin", own), ("origin", own)) == 4403


def test_a_host_outside_allowed_hosts_is_refused():
    assert code_of(("host", "evil.example"), ("origin", "http://evil.example")) == 4403
    assert code_of(("host", "a b"), ("origin", "http://a b")) == 4403


def test_trusted_origins_of_the_settings_are_accepted(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example"]
    assert code_of(("host", HOST), ("origin", "https://play.example")) is None
    assert code_of(("host", HOST), ("origin", "https://x.play.example")) == 4403


def test_behind_a_proxy_its_header_gives_the_scheme(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    https = ("x-forwarded-proto", "https")
    assert code_of(("host", HOST), ("origin", f"https://{HOST}"), https) is None
    assert code_of(("host", HOST), ("origin", f"http://{HOST}"), https) == 4403
    assert code_of(("host", HOST), ("origin", f"https://{HOST}")) == 4403


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer sdl_abc", None),
        ("bearer sdl_abc", None),
        ("Bearer ", 4401),
        ("Basic YWRh", 4401),
        ("", 4401),
    ],
)
def test_a_bot_needs_a_bearer_token(header, code):
    assert code_of(("authorization", header), is_bot=True) == code


def test_a_bot_needs_no_origin_and_its_cookie_is_ignored(ada):
    signed_in = ("cookie", session_cookie(ada))
    assert code_of(signed_in, ("origin", f"http://{HOST}"), is_bot=True) == 4401
    handshake = check_handshake(
        scope(signed_in, ("authorization", "Bearer sdl_none")), is_bot=True
    )
    assert handshake.find_identity() is None


def test_a_token_is_ignored_on_the_browsers_socket(ada):
    token = _token(ada)
    handshake = check_handshake(
        scope(
            ("host", HOST),
            ("origin", f"http://{HOST}"),
            ("authorization", f"Bearer {token}"),
        ),
        is_bot=False,
    )
    assert handshake.find_identity() is None


def test_a_session_cookie_gives_the_identity(ada):
    handshake = check_handshake(
        scope(
            ("host", HOST),
            ("origin", f"http://{HOST}"),
            ("cookie", session_cookie(ada)),
        ),
        is_bot=False,
    )
    found = handshake.find_identity()
    assert found is not None
    assert (handshake.browser.address, found.account_id, found.scopes) == (
        "10.0.0.7",
        ada.id,
        None,
    )
    assert found.has_scope("race")


def _cookies(account: Account) -> dict[str, str]:
    name, _, value = session_cookie(account).partition("=")
    return {name: value}


def _token(account: Account, *scopes: str) -> str:
    account.is_guest = False
    account.save()
    return token_create(
        account=account,
        name="bot",
        scopes=scopes or ("read",),
        expires_in=timedelta(days=1),
        at=datetime.now(UTC),
    )[1]


def test_ended_sessions_and_closed_accounts_give_no_identity(ada):
    now = datetime.now(UTC)
    cookies = _cookies(ada)
    assert identity_by_cookie(cookies, at=now) is not None
    assert identity_by_cookie(cookies, at=now + timedelta(days=400)) is None
    assert identity_by_cookie({}, at=now) is None
    assert identity_by_cookie({next(iter(cookies)): "x" * 32}, at=now) is None
    Account.objects.filter(id=ada.id).update(is_active=False)
    assert identity_by_cookie(cookies, at=now) is None


def test_a_new_password_ends_older_sessions(ada):
    now = datetime.now(UTC)
    found = identity_by_cookie(_cookies(ada), at=now)
    assert found is not None
    assert valid_credentials([found.credential], at=now) == {
        found.credential: found.stamp
    }
    ada.set_password("another one")
    ada.save()
    assert (
        valid_credentials([found.credential], at=now)[found.credential] != found.stamp
    )


def test_all_credentials_are_checked_in_two_queries(
    ada, bob, django_assert_num_queries
):
    now = datetime.now(UTC)
    one, two = (
        identity_by_cookie(_cookies(ada), at=now),
        identity_by_cookie(_cookies(bob), at=now),
    )
    three = identity_by_token(_token(ada, "read", "play"), at=now)
    assert one is not None
    assert two is not None
    assert three is not None
    assert (three.has_scope("play"), three.has_scope("chat")) == (True, False)
    Session.objects.filter(session_key=two.credential[1]).delete()
    credentials = [one.credential, two.credential, three.credential]
    with django_assert_num_queries(2):
        valid = valid_credentials(credentials, at=now)
    assert set(valid) == {one.credential, three.credential}
    Account.objects.filter(id=ada.id).update(is_active=False)
    assert valid_credentials(credentials, at=now) == {}


def test_the_browser_is_that_of_the_clients_address_agent_and_cookie(settings):
    settings.TRUSTED_PROXY_COUNT = 1
    cookie = "c" * 43
    headers = (
        ("host", HOST),
        ("origin", f"http://{HOST}"),
        ("user-agent", "Firefox"),
        ("x-forwarded-for", "1.2.3.4, 203.0.113.9:5012"),
    )
    named = ("cookie", f"{settings.BROWSER_COOKIE_NAME}={cookie}")
    browser = check_handshake(scope(*headers, named), is_bot=False).browser
    assert browser == ("203.0.113.9", "Firefox", cookie)
    odd = ("cookie", f"{settings.BROWSER_COOKIE_NAME}=mine")
    assert check_handshake(scope(*headers, odd), is_bot=False).browser.cookie == ""
    bot = check_handshake(
        scope(*headers, named, ("authorization", "Bearer sdl_none")), is_bot=True
    )
    assert bot.browser == ("203.0.113.9", "Firefox", "")
    assert check_handshake(scope(*headers[:2]), is_bot=False).browser == (
        "10.0.0.7",
        "",
        "",
    )


def test_a_client_on_this_machine_is_at_loopback():
    headers = (("host", HOST), ("origin", f"http://{HOST}"))
    own = scope(*headers, server=["10.0.0.7", 8130])
    assert check_handshake(own, is_bot=False).browser.address == "127.0.0.1"
    other = scope(*headers, server=["10.0.0.8", 8130])
    assert check_handshake(other, is_bot=False).browser.address == "10.0.0.7"
