"""People with a way to sign in, and a browser that signs them up and in."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from game.models import Account, Token
from game.services.tokens import token_create
from tests.fixtures_runs import NOON, signed_in

AUTH = "/_allauth/browser/v1/"
API = "/api/v1/"
PASSWORD = "correct horse battery"
CODE = re.compile(r"^([A-Z0-9]{4}-[A-Z0-9]{4})\s*$", re.MULTILINE)


def person(name: str = "Eve", email: str | None = None, **fields: Any) -> Account:
    """An account that signs in by PASSWORD, its e-mail verified."""
    email = email or f"{name.replace(' ', '.').lower()}@example.org"
    account = Account.objects.create_user(
        name, email, PASSWORD, created_at=NOON, seen_at=NOON, **fields
    )
    EmailAddress.objects.create(user=account, email=email, verified=True, primary=True)
    return account


@pytest.fixture
def eve(db: None) -> Account:
    """Somebody with a name, a password and a verified e-mail."""
    return person()


@pytest.fixture
def eve_client(eve: Account) -> Client:
    """Eve's browser, signed in a while ago."""
    return signed_in(eve)


def call(
    client: Client, method: str, path: str, body: Any = None, **headers: str
) -> Any:
    """One call with a JSON body, or with none."""
    ask = getattr(client, method.lower())
    if method == "GET":
        return ask(path, headers=headers or None)
    sent = "" if body is None else body
    return ask(path, sent, content_type="application/json", headers=headers or None)


def auth(
    client: Client, method: str, path: str, body: Any = None, **headers: str
) -> Any:
    """One call of allauth's."""
    return call(client, method, AUTH + path, body, **headers)


def api(
    client: Client, method: str, path: str, body: Any = None, **headers: str
) -> Any:
    """One call of ours."""
    return call(client, method, API + path, body, **headers)


def code_mailed() -> str:
    """The code in the last mail."""
    found = CODE.search(str(mail.outbox[-1].body))
    assert found, mail.outbox[-1].body
    return found[1]


def sign_up(client: Client, name: str = "Ada", email: str = "ada@example.org") -> Any:
    """The answer to a sign-up with PASSWORD."""
    body = {"username": name, "email": email, "password": PASSWORD}
    return auth(client, "POST", "auth/signup", body)


def sign_in(client: Client, **who: str) -> Any:
    """The answer to a sign-in by username or email, with PASSWORD unless said."""
    return auth(client, "POST", "auth/login", {"password": PASSWORD, **who})


def pending(answer: Any) -> list[str]:
    """The flows that wait for one more step."""
    flows = answer.json()["data"]["flows"]
    return [flow["id"] for flow in flows if flow.get("is_pending")]


def errors(answer: Any) -> list[tuple[str | None, str]]:
    """The fields and codes of allauth's errors."""
    return [(error.get("param"), error["code"]) for error in answer.json()["errors"]]


def token_of(
    account: Account, *scopes: str, at: datetime | None = None
) -> tuple[Token, dict[str, str]]:
    """A token, and the header that a program sends."""
    token, text = token_create(
        account=account,
        name="a program",
        scopes=scopes,
        expires_in=timedelta(days=1),
        at=at or timezone.now(),
    )
    return token, {"Authorization": f"Bearer {text}"}
