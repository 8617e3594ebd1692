"""Who may open a socket at all: origins, credentials, addresses."""

from datetime import UTC, datetime, timedelta

import pytest

from api.ws.connection import handshake
from api.ws.connection.handshake import Closed, caller_of
from api.ws.connection.identity import by_bearer, by_cookie, still_good
from game.models import Account, Session
from game.services.accounts.tokens import token_create
from tests.api.ws.served import cookie_of

HOST = "scoundrel.example:8130"


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["scoundrel.example"]


def scope(*headers: tuple[str, str], **more: object) -> dict[str, object]:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return {"headers": raw, "client": ["10.0.0.7", 5], **more}


def code_of(*headers: tuple[str, str], is_bot: bool = False) -> int | None:
    try:
        caller_of(scope(*headers), is_bot=is_bot)
    except Closed as closed:
        return closed.code
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
def test_the_origin_must_be_ours_exactly(origin, code):
    assert code_of(("host", HOST), ("origin", origin)) == code


def test_no_origin_or_two_are_refused():
    ours = f"http://{HOST}"
    assert code_of(("host", HOST)) == 4403
    assert code_of(("host", HOST), ("origin", ours), ("origin", ours)) == 4403


def test_a_host_that_is_not_ours_is_refused():
    assert code_of(("host", "evil.example"), ("origin", "http://evil.example")) == 4403
    assert code_of(("host", "a b"), ("origin", "http://a b")) == 4403


def test_a_page_may_live_elsewhere_where_the_settings_say_so(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example"]
    assert code_of(("host", HOST), ("origin", "https://play.example")) is None
    assert code_of(("host", HOST), ("origin", "https://x.play.example")) == 4403


def test_behind_a_proxy_the_scheme_is_what_it_says(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    said = ("x-forwarded-proto", "https")
    assert code_of(("host", HOST), ("origin", f"https://{HOST}"), said) is None
    assert code_of(("host", HOST), ("origin", f"http://{HOST}"), said) == 4403
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
def test_a_bot_shows_a_bearer_token(header, code):
    assert code_of(("authorization", header), is_bot=True) == code


def test_a_bot_needs_no_origin_and_brings_no_cookie(ada):
    signed_in = ("cookie", cookie_of(ada))
    assert code_of(signed_in, ("origin", f"http://{HOST}"), is_bot=True) == 4401
    caller = caller_of(
        scope(signed_in, ("authorization", "Bearer sdl_none")), is_bot=True
    )
    assert caller.identify() is None


def test_a_token_is_nothing_at_the_browsers_door(ada):
    token = _token(ada)
    caller = caller_of(
        scope(
            ("host", HOST),
            ("origin", f"http://{HOST}"),
            ("authorization", f"Bearer {token}"),
        ),
        is_bot=False,
    )
    assert caller.identify() is None


def test_the_session_says_who_it_is(ada):
    caller = caller_of(
        scope(("host", HOST), ("origin", f"http://{HOST}"), ("cookie", cookie_of(ada))),
        is_bot=False,
    )
    found = caller.identify()
    assert found is not None
    assert (caller.address, found.account_id, found.scopes) == (
        "10.0.0.7",
        ada.id,
        None,
    )
    assert found.may("race")


def _cookies(account: Account) -> dict[str, str]:
    name, _, value = cookie_of(account).partition("=")
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


def test_sessions_that_are_over_or_whose_account_is_open_nothing(ada):
    now = datetime.now(UTC)
    cookies = _cookies(ada)
    assert by_cookie(cookies, at=now) is not None
    assert by_cookie(cookies, at=now + timedelta(days=400)) is None
    assert by_cookie({}, at=now) is None
    assert by_cookie({next(iter(cookies)): "x" * 32}, at=now) is None
    Account.objects.filter(id=ada.id).update(is_active=False)
    assert by_cookie(cookies, at=now) is None


def test_a_new_password_ends_older_sessions(ada):
    now = datetime.now(UTC)
    found = by_cookie(_cookies(ada), at=now)
    assert found is not None
    assert still_good([found.credential], at=now) == {found.credential: found.stamp}
    ada.set_password("another one")
    ada.save()
    assert still_good([found.credential], at=now)[found.credential] != found.stamp


def test_what_is_still_good_is_asked_for_all_at_once(
    ada, bob, django_assert_num_queries
):
    now = datetime.now(UTC)
    one, two = by_cookie(_cookies(ada), at=now), by_cookie(_cookies(bob), at=now)
    three = by_bearer(_token(ada, "read", "play"), at=now)
    assert one is not None
    assert two is not None
    assert three is not None
    assert (three.may("play"), three.may("chat")) == (True, False)
    Session.objects.filter(session_key=two.credential[1]).delete()
    credentials = [one.credential, two.credential, three.credential]
    with django_assert_num_queries(2):
        good = still_good(credentials, at=now)
    assert set(good) == {one.credential, three.credential}
    Account.objects.filter(id=ada.id).update(is_active=False)
    assert still_good(credentials, at=now) == {}


def test_crowds_are_the_process_s_own():
    assert handshake.accounts is not handshake.addresses
