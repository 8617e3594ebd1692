"""Sign-up by code, from a guest or not, and without a mail server."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError
from django.test import Client

from game.models import Account, Run
from scoundrel_site.settings.accounts import mail_settings
from tests.fixtures.accounts import (
    PASSWORD,
    api,
    auth,
    code_mailed,
    errors,
    pending,
    person,
    sign_in,
    sign_up,
)

pytestmark = pytest.mark.django_db


def verify(client: Client, code: str | None = None) -> Any:
    return auth(client, "POST", "auth/email/verify", {"key": code or code_mailed()})


def test_guest_keeps_their_account_after_sign_up(client: Client) -> None:
    guest = api(client, "POST", "session/guest/", {}).json()
    run = api(client, "POST", "runs/", {"seed": "a"}).json()
    assert auth(client, "GET", "auth/session").status_code == 401

    asked = sign_up(client)
    assert (asked.status_code, pending(asked)) == (401, ["verify_email"])
    # Until the e-mail is verified they keep playing as a guest.
    move = {"index": 0, "move": "2D"}
    assert api(client, "POST", f"runs/{run['id']}/moves/", move).status_code == 200
    assert api(client, "GET", "account/").json()["name"] == guest["name"]

    assert verify(client).status_code == 200
    account = api(client, "GET", "account/").json()
    assert account["id"] == guest["id"]
    assert (account["name"], account["email"]) == ("Ada", "ada@example.org")
    assert (account["is_guest"], account["is_verified"]) == (False, True)
    assert api(client, "GET", f"runs/{run['id']}/").json()["index"] == 1
    assert Account.objects.count() == 1


def test_anonymous_visitor_signs_up(client: Client) -> None:
    sign_up(client)
    assert api(client, "GET", "account/").status_code == 401
    assert verify(client).status_code == 200
    assert api(client, "GET", "account/").json()["name"] == "Ada"
    assert auth(client, "DELETE", "auth/session").status_code == 401
    assert sign_in(client, username="ADA").status_code == 200


def test_unverified_sign_up_is_not_public(client: Client) -> None:
    sign_up(client)
    assert api(client, "GET", "players/Ada/").status_code == 404
    other = Client()
    assert errors(sign_in(other, email="ada@example.org")) == [
        ("password", "email_password_mismatch")
    ]
    again = sign_in(other, username="Ada")
    assert (again.status_code, pending(again)) == (401, ["verify_email"])
    assert verify(other).status_code == 200
    assert api(client, "GET", "players/Ada/").status_code == 200


def test_sign_up_ends_after_wrong_codes_and_can_be_repeated(client: Client) -> None:
    sign_up(client)
    first = Account.objects.get().id
    for _ in range(2):
        assert errors(verify(client, "AAAA-AAAA")) == [("key", "incorrect_code")]
    assert verify(client, "AAAA-AAAA").status_code == 400
    assert verify(client).status_code == 409
    again = sign_up(client, name="Ada L")
    assert pending(again) == ["verify_email"]
    assert verify(client).status_code == 200
    assert Account.objects.exclude(id=first).get().name == "Ada L"


def test_sign_up_can_be_repeated_with_the_same_name(client: Client) -> None:
    sign_up(client, email="wrong@example.org")
    again = sign_up(client)
    assert (again.status_code, pending(again)) == (401, ["verify_email"])
    assert mail.outbox[-1].to == ["ada@example.org"]
    assert verify(client).status_code == 200
    assert Account.objects.get().email == "ada@example.org"


def test_sign_up_finished_in_another_tab(client: Client) -> None:
    """The first tab gets 409, not an error."""
    sign_up(client)
    Account.objects.all().delete()
    assert verify(client).status_code == 409
    assert pending(auth(client, "GET", "auth/session")) == []
    assert pending(sign_up(client)) == ["verify_email"]


def test_whoever_verifies_first_gets_the_name(client: Client) -> None:
    """A sign-up holds no name, however often it is repeated."""
    squatter = Client()
    for _ in range(3):
        sign_up(squatter, email="squatter@example.org")
    ended = code_mailed()
    assert pending(sign_up(client)) == ["verify_email"]
    code = code_mailed()
    # A code is valid only in its session, and the earlier sign-up has ended.
    assert verify(squatter, code).status_code == 400
    assert verify(squatter, ended).status_code == 409
    assert verify(client, code).status_code == 200
    assert api(client, "GET", "account/").json()["name"] == "Ada"
    for taken, error in (("ADA", "name.taken"), ("Ada-", "name.too_close")):
        answer = sign_up(Client(), name=taken, email="c@example.org")
        assert errors(answer) == [("username", error)]


@pytest.mark.parametrize("is_guest", [False, True])
def test_name_that_was_given_away_meanwhile(client: Client, is_guest: bool) -> None:
    """Two sign-ups with names that look alike: the second gets a generated name."""
    guest = api(client, "POST", "session/guest/", {}).json() if is_guest else None
    sign_up(client, name="Ada-", email="slow@example.org")
    code = code_mailed()
    quick = Client()
    sign_up(quick)
    assert verify(quick).status_code == 200
    assert verify(client, code).status_code == 200
    slow = api(client, "GET", "account/").json()
    assert (slow["email"], slow["is_guest"]) == ("slow@example.org", False)
    assert not slow["name"].startswith("Ada")
    if guest is not None:
        assert (slow["id"], slow["name"]) == (guest["id"], guest["name"])
    renamed = api(client, "PATCH", "account/", {"name": "Beda"})
    assert renamed.status_code == 200


def test_a_rename_takes_a_name_from_a_pending_sign_up(
    client: Client, eve_client: Client
) -> None:
    sign_up(client)
    assert api(eve_client, "PATCH", "account/", {"name": "Ada"}).status_code == 200
    assert verify(client).status_code == 409


def test_code_is_sent_again_twice(client: Client) -> None:
    sign_up(client)
    old = code_mailed()
    for _ in range(2):
        assert auth(client, "POST", "auth/email/verify/resend").status_code == 200
    assert auth(client, "POST", "auth/email/verify/resend").status_code == 409
    assert verify(client, old).status_code == 400
    assert verify(client).status_code == 200


BAD = [
    ({"username": "ab"}, ("username", "name.length")),
    ({"username": "Аdа"}, ("username", "name.mixed_scripts")),  # noqa: RUF001
    ({"username": "admin"}, ("username", "name.reserved")),
    ({"username": "EVE"}, ("username", "name.taken")),
    ({"username": None}, ("username", "required")),
    ({"email": "ada"}, ("email", "invalid")),
    ({"email": ""}, ("email", "required")),
    ({"password": "short"}, ("password", "password.length")),
    ({"password": "x" * 129}, ("password", "password.length")),
    ({"password": "password1"}, ("password", "password.weak")),
    ({"password": ""}, ("password", "required")),
]


@pytest.mark.parametrize(("wrong", "error"), BAD)
def test_errors_are_reported_by_field(
    client: Client, eve: Account, wrong: dict[str, Any], error: tuple[str, str]
) -> None:
    body = {"username": "Ada", "email": "ada@example.org", "password": PASSWORD}
    answer = auth(client, "POST", "auth/signup", {**body, **wrong})
    assert answer.status_code == 400
    assert error in errors(answer)
    assert Account.objects.count() == 1
    assert not mail.outbox


def test_password_like_the_name_is_refused(client: Client) -> None:
    body = {
        "username": "Bartholomew",
        "email": "b@example.org",
        "password": "bartholomew",
    }
    answer = auth(client, "POST", "auth/signup", body)
    assert ("password", "password.weak") in errors(answer)


def test_name_taken_at_the_same_moment_is_an_error(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise IntegrityError

    monkeypatch.setattr(Account, "save", fails)
    assert errors(sign_up(client)) == [("username", "name.taken")]


@pytest.fixture
def household(settings: Any) -> None:
    """A site that cannot send mail."""
    for name, value in mail_settings("").items():
        if name != "EMAIL_BACKEND":
            setattr(settings, name, value)


@pytest.mark.usefixtures("household")
def test_no_code_without_a_mail_server(client: Client) -> None:
    guest = api(client, "POST", "session/guest/", {}).json()
    body = {"username": "Ada", "password": PASSWORD}
    assert auth(client, "POST", "auth/signup", body).status_code == 200
    account = api(client, "GET", "account/").json()
    assert (account["id"], account["is_verified"]) == (guest["id"], True)
    assert not mail.outbox


@pytest.mark.usefixtures("household")
def test_email_is_not_verified_without_a_mail_server(
    client: Client, eve: Account
) -> None:
    assert sign_up(client).status_code == 200
    assert EmailAddress.objects.get(email="ada@example.org").verified
    taken = sign_up(Client(), name="Eve Two", email="eve@example.org")
    assert errors(taken) == [("email", "email_taken")]
    auth(client, "POST", "auth/reauthenticate", {"password": PASSWORD})
    changed = auth(client, "POST", "account/email", {"email": "new@example.org"})
    assert changed.status_code == 200
    assert Account.objects.get(name="Ada").email == "new@example.org"


@pytest.mark.usefixtures("household")
def test_reset_code_is_printed_without_a_mail_server(
    client: Client, eve: Account
) -> None:
    asked = {"email": "eve@example.org"}
    assert auth(client, "POST", "auth/password/request", asked).status_code == 401
    # The backend that prints is the tests' own here, which keeps.
    body = {"key": code_mailed(), "password": "x7!kQ-m2aa"}
    assert auth(client, "POST", "auth/password/reset", body).status_code in {200, 401}
    assert eve.check_password(PASSWORD)
    eve.refresh_from_db()
    assert not eve.check_password(PASSWORD)


def test_registered_account_cannot_sign_up(eve_client: Client) -> None:
    assert sign_up(eve_client).status_code == 409


def test_practice_runs_move_at_sign_in(client: Client) -> None:
    person("Eve")
    guest = api(client, "POST", "session/guest/", {}).json()
    run = api(client, "POST", "runs/", {}).json()
    assert sign_in(client, username="Eve").status_code == 200
    assert api(client, "GET", f"runs/{run['id']}/").status_code == 200
    assert Run.objects.get().account.name == "Eve"
    assert not Account.objects.filter(id=guest["id"]).exists()


def test_failed_sign_in_keeps_the_guest(client: Client) -> None:
    person("Eve")
    guest = api(client, "POST", "session/guest/", {}).json()
    assert sign_in(client, username="Eve", password="wrong one").status_code == 400
    assert api(client, "GET", "account/").json()["id"] == guest["id"]
