"""The checks before allauth's views: malformed bodies, throttles."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.test import Client

from game.models import Account
from game.services.core import limits
from game.services.core.throttles import Limit
from tests.fixtures.accounts import PASSWORD, auth, sign_in, sign_up

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
    for junk in JUNK if method == "POST" else JUNK[::4]:
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
        monkeypatch.setattr(limits, name, Limit(name.lower(), 2, 60))
    monkeypatch.setattr(limits, "PASSWORD_BY_ACCOUNT", Limit("password", 2, 60))


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
    monkeypatch.setattr(limits, "SIGN_IN_BY_NAME_HERE", Limit("sign_in", 9, 60))
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
