"""The checks before allauth's views: malformed bodies, throttles."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.test import Client
from django.utils import timezone

from game.models import Account, SignInPlace
from game.services.accounts.deletion import account_close, expired_rows_prune
from game.services.core import rate_limits
from game.services.core.throttles import Limit
from tests.fixtures.accounts import (
    PASSWORD,
    auth,
    code_mailed,
    person,
    sign_in,
    sign_up,
)

pytestmark = pytest.mark.django_db

ROUTES = [
    *("auth/signup", "auth/login", "auth/email/verify", "auth/email/verify/resend"),
    *("auth/password/request", "auth/password/reset", "auth/reauthenticate"),
    *("auth/reauthenticate/code/request", "auth/reauthenticate/code/confirm"),
    *("auth/2fa/authenticate", "auth/2fa/reauthenticate", "auth/webauthn/login"),
    *("auth/webauthn/authenticate", "auth/webauthn/reauthenticate", "auth/sessions"),
    *("auth/session", "auth/code/confirm", "account/password/change"),
    *("account/email", "account/phone", "account/authenticators"),
    *("account/authenticators/totp", "account/authenticators/recovery-codes"),
    "account/authenticators/webauthn",
]
FIELDS = [
    *("username", "email", "password", "key", "code", "credential", "sessions"),
    *("current_password", "new_password", "id", "name", "authenticators", "primary"),
    "phone",
]
JUNK: list[Any] = [
    *(None, True, 0, -1, 1e308, "", " ", "x" * 3000, "\x00", "٣", "a@b", "../../etc"),
    *([], [[]], [None], [{"a": []}], {}, {"id": {"rawId": 1}}, {"type": "public-key"}),
]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_malformed_body_is_refused(eve_client: Client, route: str, method: str) -> None:
    browsers = [Client(), eve_client]
    for junk in JUNK if method == "POST" else JUNK[::9]:
        for client in browsers:
            body = dict.fromkeys(FIELDS, junk)
            answer = auth(client, method, route, body)
            assert answer.status_code < 500, (junk, answer.content)


@pytest.mark.parametrize("route", ROUTES)
def test_get_requests_do_not_fail(eve_client: Client, route: str) -> None:
    for client in (Client(), eve_client):
        answer = auth(
            client,
            "GET",
            route,
            **{"X-Email-Verification-Key": "\xff", "X-Password-Reset-Key": "x" * 9000},
        )
        assert answer.status_code < 500


def test_malformed_body_during_a_sign_up(client: Client) -> None:
    sign_up(client)
    for junk in JUNK:
        answer = auth(client, "POST", "auth/email/verify", {"key": junk})
        assert answer.status_code in (400, 409)
    assert not Account.objects.filter(is_guest=False).exists()


@pytest.fixture
def _throttled(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.THROTTLE_SCALE = 1.0
    settings.REDIS_URL = ""
    for name in ("SIGN_IN_BY_NAME_HERE", "MAIL_BY_EMAIL", "CODE_BY_ACCOUNT"):
        monkeypatch.setattr(rate_limits, name, Limit(name.lower(), 2, 60))
    monkeypatch.setattr(rate_limits, "PASSWORD_BY_ACCOUNT", Limit("password", 2, 60))


@pytest.mark.usefixtures("_throttled")
def test_guessing_is_limited_but_not_the_owner(eve: Account) -> None:
    guesser = Client(REMOTE_ADDR="198.51.100.1")
    for _ in range(2):
        assert sign_in(guesser, username="Eve", password="wrong").status_code == 400
    stopped = sign_in(guesser, username="EVE")
    assert stopped.status_code == 429
    body = stopped.json()
    assert body["limit"] == "sign_in_by_name_here: 2 in 60 s"
    assert stopped["Retry-After"] == str(body["retry_after_s"])
    assert body["errors"][0]["code"] == "throttled"
    assert sign_in(guesser, username="Nobody").status_code == 400
    owner = Client(REMOTE_ADDR="198.51.100.2")
    assert sign_in(owner, username="Eve").status_code == 200


@pytest.mark.usefixtures("_throttled")
def test_mails_to_one_address_are_limited(eve: Account) -> None:
    body = {"email": "EVE@example.org"}
    for _ in range(2):
        assert auth(Client(), "POST", "auth/password/request", body).status_code == 401
    assert auth(Client(), "POST", "auth/password/request", body).status_code == 429
    assert sign_up(Client(), name="Other", email="eve@example.org").status_code == 429


@pytest.mark.usefixtures("_throttled")
def test_guessing_second_factors_is_limited(
    eve: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "SIGN_IN_BY_NAME_HERE", Limit("sign_in", 9, 60))
    Authenticator.objects.create(
        user=eve, type="totp", data={"secret": encrypt("A" * 32)}
    )
    code = {"code": "000000"}
    tried = []
    for _ in range(3):
        client = Client()
        sign_in(client, email="eve@example.org")
        tried.append(auth(client, "POST", "auth/2fa/authenticate", code).status_code)

    assert tried == [400, 400, 429]


@pytest.mark.usefixtures("_throttled")
def test_guessing_the_password_in_a_session_is_limited(eve_client: Client) -> None:
    for password in ("a", "b"):
        body = {"password": password}
        assert auth(eve_client, "POST", "auth/reauthenticate", body).status_code == 400
    body = {"current_password": PASSWORD, "new_password": "x"}
    answer = auth(eve_client, "POST", "account/password/change", body)
    assert answer.status_code == 429


@pytest.fixture
def _few_passwords(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.THROTTLE_SCALE = 1.0
    settings.REDIS_URL = ""
    monkeypatch.setattr(rate_limits, "SIGN_IN_BY_NAME", Limit("sign_in.name", 4, 60))
    monkeypatch.setattr(rate_limits, "SIGN_IN_BY_NAME_HERE", Limit("here", 3, 60))


def guess(name: str, email: str, times: int) -> list[tuple[int, Any]]:
    """Wrong passwords, by name and by e-mail in turn, each from another network."""
    who = [{"username": name}, {"email": email}]
    answers = [
        sign_in(Client(REMOTE_ADDR=f"203.0.113.{n}"), password="wrong", **who[n % 2])
        for n in range(times)
    ]
    return [(one.status_code, one.json()) for one in answers]


@pytest.mark.usefixtures("_few_passwords")
def test_wrong_passwords_from_everywhere_do_not_lock_the_owner_out(
    eve: Account,
) -> None:
    home, cafe = "198.51.100.1", "198.51.100.2"
    browser = Client(REMOTE_ADDR=home)
    assert sign_in(browser, username="Eve").status_code == 200
    tried = guess("Eve", "eve@example.org", 6)
    assert [status for status, _ in tried[:3]] == [400] * 3
    # By e-mail a refusal looks like a wrong password, by name it says what it is.
    assert [status for status, _ in tried[3:]] == [400, 429, 400]
    assert tried[3] == tried[5] == tried[1]
    assert tried[4][1]["errors"][0]["code"] == "sign_in.new_place"
    # The right password is refused in a new place, by name and by e-mail ...
    assert (
        sign_in(Client(REMOTE_ADDR="198.51.100.9"), username="Eve").status_code == 429
    )
    assert (
        sign_in(Client(REMOTE_ADDR="198.51.100.9"), email="eve@example.org").status_code
        == 400
    )
    # ... and accepted in the network and in the browser where Eve has signed in.
    assert sign_in(Client(REMOTE_ADDR=home), username="Eve").status_code == 200
    moved = Client(REMOTE_ADDR=cafe)
    moved.cookies["browser"] = browser.cookies["browser"].value
    assert sign_in(moved, email="eve@example.org").status_code == 200
    # Another account's browser is new to Eve; an invented cookie is too.
    person("Bob")
    for cookie in ("x" * 43, "", "\0", sign_in_cookie("Bob", "192.0.2.7")):
        stranger = Client(REMOTE_ADDR="192.0.2.8")
        stranger.cookies["browser"] = cookie
        assert sign_in(stranger, username="Eve").status_code == 429, cookie


def sign_in_cookie(name: str, address: str) -> str:
    """The cookie of a browser where that account has signed in."""
    client = Client(REMOTE_ADDR=address)
    assert sign_in(client, username=name).status_code == 200
    return client.cookies["browser"].value


@pytest.mark.usefixtures("_few_passwords")
def test_browsers_that_were_used_before_are_familiar(eve: Account) -> None:
    """Also those that signed in before places were recorded."""
    home, cafe = "198.51.100.1", "198.51.100.2"
    cookie = sign_in_cookie("Eve", home)
    SignInPlace.objects.all().delete()
    guess("Eve", "eve@example.org", 6)
    moved = Client(REMOTE_ADDR=cafe)
    assert sign_in(moved, username="Eve").status_code == 429
    moved.cookies["browser"] = cookie
    assert sign_in(moved, username="Eve").status_code == 200
    SignInPlace.objects.all().delete()
    assert sign_in(Client(REMOTE_ADDR=home), username="Eve").status_code == 200


@pytest.mark.usefixtures("_few_passwords")
def test_neighbours_do_not_use_up_the_owners_attempts(eve: Account) -> None:
    school = "198.51.100.1"
    owner = Client(REMOTE_ADDR=school)
    assert sign_in(owner, username="Eve").status_code == 200
    for _ in range(3):
        sign_in(Client(REMOTE_ADDR=school), username="Eve", password="wrong")
    assert sign_in(Client(REMOTE_ADDR=school), username="Eve").status_code == 429
    again = Client(REMOTE_ADDR=school)
    again.cookies["browser"] = owner.cookies["browser"].value
    assert sign_in(again, username="Eve").status_code == 200


@pytest.mark.usefixtures("_few_passwords")
def test_unknown_names_and_emails_are_limited_alike(eve: Account) -> None:
    """Except in Eve's own places, nobody learns whether she exists."""
    known = guess("Eve", "eve@example.org", 12)
    unknown = guess("Nobody", "nobody@example.org", 12)
    assert known[1::2] == unknown[1::2]
    assert {status for status, _ in known[::2]} == {400, 429}
    assert {status for status, _ in unknown[::2]} == {400, 429}


@pytest.mark.usefixtures("_few_passwords")
def test_a_password_reset_makes_its_place_familiar(eve: Account) -> None:
    place = Client(REMOTE_ADDR="198.51.100.3")
    guess("Eve", "eve@example.org", 6)
    assert sign_in(place, username="Eve").status_code == 429
    auth(place, "POST", "auth/password/request", {"email": "eve@example.org"})
    body = {"key": code_mailed(), "password": "another battery horse"}
    assert auth(place, "POST", "auth/password/reset", body).status_code == 401
    answer = sign_in(place, username="Eve", password="another battery horse")
    assert answer.status_code == 200


@pytest.mark.usefixtures("_throttled")
def test_strangers_do_not_use_up_the_owners_mails(eve: Account) -> None:
    owner = Client()
    owner.cookies["browser"] = sign_in_cookie("Eve", "198.51.100.4")
    body = {"email": "eve@example.org"}
    for status in (401, 401, 429):
        answer = auth(Client(), "POST", "auth/password/request", body)
        assert answer.status_code == status
    assert auth(owner, "POST", "auth/password/request", body).status_code == 401


def test_places_are_stored_as_keyed_hashes_and_forgotten(eve: Account) -> None:
    cookie = sign_in_cookie("Eve", "198.51.100.5")
    stored = " ".join(SignInPlace.objects.values_list("place", flat=True))
    assert cookie not in stored
    assert len(stored.split()) == 2
    expired_rows_prune(at=timezone.now() + timedelta(days=364))
    assert SignInPlace.objects.count() == 2
    account_close(eve.id, at=timezone.now())
    assert not SignInPlace.objects.exists()
    sign_in_cookie(person("Bob").name, "198.51.100.5")
    expired_rows_prune(at=timezone.now() + timedelta(days=366))
    assert not SignInPlace.objects.exists()
