"""Sign-in and sign-out, second factors, password reset, e-mail, sessions."""

import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import encrypt
from django.core import mail
from django.core.cache import cache
from django.test import Client

from game.models import Account, Session, Token
from tests.fixtures.accounts import (
    PASSWORD,
    api,
    auth,
    code_mailed,
    errors,
    pending,
    person,
    sign_in,
    token_of,
)

pytestmark = pytest.mark.django_db
OTHER = "an even longer staple 77"


@pytest.fixture
def eves(eve: Account, client: Client) -> Client:
    """Eve's browser, signed in a moment ago."""
    assert sign_in(client, username="Eve").status_code == 200
    sure(client)
    return client


def sure(client: Client, password: str = PASSWORD) -> None:
    body = {"password": password}
    assert auth(client, "POST", "auth/reauthenticate", body).status_code == 200


def test_sign_in_by_name_or_email_in_any_case(eve: Account) -> None:
    for who in ({"username": "eve"}, {"email": "EVE@Example.org"}):
        client = Client()
        assert sign_in(client, **who).status_code == 200
        assert api(client, "GET", "account/").json()["id"] == eve.id


def test_wrong_credentials_are_refused(eve: Account, ada: Account) -> None:
    closed = person("Bob")
    Account.objects.filter(id=closed.id).update(is_active=False)
    for who in (
        {"username": "Eve", "password": "wrong one"},
        {"username": "Nobody"},
        {"username": ada.name},
        {"username": "Bob"},
        {"username": "eve@example.org"},
    ):
        answer = sign_in(Client(), **who)
        assert answer.status_code == 400
        assert errors(answer) == [("password", "username_password_mismatch")]


@pytest.mark.parametrize(
    "body",
    [b"[]", b"nonsense", b'{"username": "\\ud800", "password": "\\ud800"}', b"\xff"],
)
def test_malformed_body_is_refused(client: Client, body: bytes) -> None:
    answer = auth(client, "POST", "auth/login", body)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"].startswith("body.")


def test_too_large_body_is_refused(client: Client) -> None:
    answer = auth(client, "POST", "auth/login", {"password": "x" * 70_000})
    assert answer.status_code == 413


def test_sign_in_from_another_site_is_refused(eve: Account) -> None:
    answer = sign_in(Client(enforce_csrf_checks=True), username="Eve")
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["code"] == "csrf.failed"


def test_session_key_changes_at_sign_in(eve: Account, client: Client) -> None:
    api(client, "POST", "session/guest/", {})
    before = client.cookies["sessionid"].value, client.cookies["csrftoken"].value
    sign_in(client, username="Eve")
    after = client.cookies["sessionid"].value, client.cookies["csrftoken"].value
    assert before[0] != after[0]
    assert before[1] != after[1]
    assert not Session.objects.filter(session_key=before[0]).exists()


def totp(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def test_second_factor_is_set_up_used_and_removed(eves: Client) -> None:
    setup = auth(eves, "GET", "account/authenticators/totp")
    assert setup.status_code == 404
    secret = setup.json()["meta"]["secret"]
    body = {"code": totp(secret)}
    assert auth(eves, "POST", "account/authenticators/totp", body).status_code == 200
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in kept
    codes = auth(eves, "GET", "account/authenticators/recovery-codes").json()
    assert len(codes["data"]["unused_codes"]) == 10

    client = Client()
    asked = sign_in(client, username="Eve")
    assert pending(asked) == ["mfa_authenticate"]
    assert api(client, "GET", "account/").status_code == 401
    wrong = auth(client, "POST", "auth/2fa/authenticate", {"code": "000000"})
    assert errors(wrong) == [("code", "incorrect_code")]
    code = {"code": codes["data"]["unused_codes"][0]}
    assert auth(client, "POST", "auth/2fa/authenticate", code).status_code == 200
    assert api(client, "GET", "account/").status_code == 200

    sign_in(again := Client(), username="Eve")
    assert auth(again, "POST", "auth/2fa/authenticate", code).status_code == 400
    cache.clear()  # as if half a minute had gone by
    fresh = {"code": totp(secret)}
    assert auth(again, "POST", "auth/2fa/authenticate", fresh).status_code == 200
    sign_in(third := Client(), username="Eve")
    assert auth(third, "POST", "auth/2fa/authenticate", fresh).status_code == 400

    assert auth(eves, "DELETE", "account/authenticators/totp").status_code == 200
    assert sign_in(Client(), username="Eve").status_code == 200


def test_account_closed_between_password_and_second_factor(eve: Account) -> None:
    for change in ({"is_active": False}, None):
        account = person("Bob" if change else "Rob")
        secret = "A" * 32
        Authenticator.objects.create(
            user=account, type="totp", data={"secret": encrypt(secret)}
        )
        client = Client()
        assert pending(sign_in(client, username=account.name)) == ["mfa_authenticate"]
        rows = Account.objects.filter(id=account.id)
        rows.update(**change) if change else rows.delete()
        cache.clear()
        code = {"code": totp(secret)}
        assert auth(client, "POST", "auth/2fa/authenticate", code).status_code < 500
        assert api(client, "GET", "account/").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "account/email", {"email": "x@example.org"}),
        ("POST", "account/authenticators/totp", {"code": "000000"}),
        ("POST", "account/authenticators/recovery-codes", {}),
    ],
)
def test_sensitive_changes_need_reauthentication(
    eve_client: Client, method: str, path: str, body: dict[str, str]
) -> None:
    answer = auth(eve_client, method, path, body)
    assert answer.status_code in (400, 401)
    if answer.status_code == 401:
        assert answer.json()["meta"]["is_authenticated"] is True
    assert not Authenticator.objects.exists()


def test_passkey_registration_begins(eves: Client) -> None:
    new = auth(eves, "GET", "account/authenticators/webauthn?passwordless")
    options = new.json()["data"]["creation_options"]["publicKey"]
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["rp"]["id"] == "testserver"
    login = auth(Client(), "GET", "auth/webauthn/login")
    assert "challenge" in login.json()["data"]["request_options"]["publicKey"]
    bad = auth(Client(), "POST", "auth/webauthn/login", {"credential": {"id": "x"}})
    assert bad.status_code == 400


def test_password_reset(eve: Account, client: Client) -> None:
    token, header = token_of(eve, "read")
    elsewhere = Client()
    sign_in(elsewhere, username="Eve")
    asked = auth(client, "POST", "auth/password/request", {"email": "eve@example.org"})
    assert (asked.status_code, pending(asked)) == (401, ["password_reset_by_code"])
    code = code_mailed()
    wrong = auth(
        client, "POST", "auth/password/reset", {"key": "AAAA-AAAA", "password": "x"}
    )
    assert errors(wrong) == [("key", "incorrect_code")]
    weak = auth(client, "POST", "auth/password/reset", {"key": code, "password": "x"})
    assert errors(weak) == [("password", "password.length")]
    done = auth(client, "POST", "auth/password/reset", {"key": code, "password": OTHER})
    assert done.status_code == 401
    assert sign_in(client, username="Eve").status_code == 400
    assert sign_in(client, username="Eve", password=OTHER).status_code == 200
    # The reset signs out other browsers and revokes tokens.
    assert api(elsewhere, "GET", "account/").status_code == 401
    assert api(Client(), "GET", "account/", **header).status_code == 401
    assert not Token.objects.filter(id=token.id).exists()


def test_password_change(eves: Client, eve: Account) -> None:
    elsewhere = Client()
    sign_in(elsewhere, username="Eve")
    _, header = token_of(eve, "read")
    body = {"current_password": "wrong", "new_password": OTHER}
    wrong = auth(eves, "POST", "account/password/change", body)
    assert errors(wrong) == [("current_password", "enter_current_password")]
    body["current_password"] = PASSWORD
    assert auth(eves, "POST", "account/password/change", body).status_code == 200
    assert api(eves, "GET", "account/").status_code == 200
    assert api(elsewhere, "GET", "account/").status_code == 401
    assert api(Client(), "GET", "account/", **header).status_code == 200


def test_email_change(eves: Client, eve: Account) -> None:
    new = auth(eves, "POST", "account/email", {"email": "eve2@example.org"})
    assert [row["verified"] for row in new.json()["data"]] == [True, False]
    assert api(eves, "GET", "account/").json()["email"] == "eve@example.org"
    body = {"key": code_mailed()}
    assert auth(eves, "POST", "auth/email/verify", body).status_code == 200
    assert api(eves, "GET", "account/").json()["email"] == "eve2@example.org"
    assert EmailAddress.objects.get().email == "eve2@example.org"
    assert [("eve@example.org" in str(m.to)) for m in mail.outbox][-1]


def test_email_of_another_account_cannot_be_taken(eves: Client) -> None:
    person("Bob")
    new = auth(eves, "POST", "account/email", {"email": "bob@example.org"})
    assert new.status_code == 200
    assert "already" in str(mail.outbox[-1].body).lower()
    assert EmailAddress.objects.filter(email="bob@example.org").count() == 1


def test_sessions_are_listed_and_ended(eves: Client) -> None:
    other = Client(headers={"user-agent": "Elsewhere/1.0"})
    sign_in(other, username="Eve")
    rows = auth(eves, "GET", "auth/sessions").json()["data"]
    assert [row["is_current"] for row in rows] == [True, False]
    assert rows[1]["user_agent"] == "Elsewhere/1.0"
    ended = auth(eves, "DELETE", "auth/sessions", {"sessions": [rows[1]["id"]]})
    assert len(ended.json()["data"]) == 1
    assert api(other, "GET", "account/").status_code == 401
    mine = auth(eves, "DELETE", "auth/sessions", {"sessions": [rows[0]["id"]]})
    assert mine.status_code == 401
    assert api(eves, "GET", "account/").status_code == 401


def test_session_of_another_account_cannot_be_ended(eves: Client) -> None:
    person("Bob")
    bob = Client()
    sign_in(bob, username="Bob")
    row = auth(bob, "GET", "auth/sessions").json()["data"][0]
    stolen = auth(eves, "DELETE", "auth/sessions", {"sessions": [row["id"]]})
    assert stolen.status_code == 400
    assert api(bob, "GET", "account/").status_code == 200


def test_unknown_route_is_not_the_page(client: Client) -> None:
    for path in ("nothing", "app/v1/config", "browser/v1/account/phone"):
        answer = client.get(f"/_allauth/{path}")
        assert (answer.status_code, answer.json()) == (404, {"status": 404})


def test_no_social_sign_in_unless_configured(client: Client) -> None:
    config: dict[str, Any] = auth(client, "GET", "config").json()["data"]
    assert "socialaccount" not in config
    assert client.get("/accounts/google/login/").status_code == 404
