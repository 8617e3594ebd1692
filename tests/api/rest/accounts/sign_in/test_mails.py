"""The text of mails, which contains nothing that another person wrote."""

import pytest
from django.core import mail
from django.test import Client

from game.models import Account
from tests.fixtures.accounts import auth, code_mailed, person, sign_in, sign_up

pytestmark = pytest.mark.django_db


def last() -> tuple[str, str]:
    return str(mail.outbox[-1].subject), str(mail.outbox[-1].body)


def test_sign_up_code(client: Client) -> None:
    sign_up(client, name="O'Neil")
    subject, body = last()
    assert subject == "[Scoundrel Live] Your code to sign up"
    assert "Welcome to Scoundrel Live, O'Neil." in body
    assert code_mailed() in body
    assert body.endswith("Scoundrel Live, testserver")


def test_mails_to_known_and_unknown_addresses(client: Client, eve: Account) -> None:
    sign_up(client, email="eve@example.org")
    subject, body = last()
    assert "already" in subject
    assert "http://testserver/reset-password" in body
    for email, word in (("eve@example.org", "code"), ("no@example.org", "No account")):
        auth(Client(), "POST", "auth/password/request", {"email": email})
        assert word in last()[0]
    assert "http://testserver/sign-up" in last()[1]


def test_notification_of_a_password_change(client: Client) -> None:
    person("Eve")
    sign_in(client, username="Eve")
    body = {"current_password": "correct horse battery", "new_password": "x7!kQ-m2aa"}
    assert auth(client, "POST", "account/password/change", body).status_code == 200
    subject, text = last()
    assert subject == "[Scoundrel Live] Password Changed"
    assert "Where: 127.0.0.1" in text


def test_header_injection_is_refused(client: Client) -> None:
    answer = sign_up(client, email="a@example.org\nBcc: b@example.org")
    assert answer.status_code == 400
    assert not mail.outbox
