"""Known and unknown e-mails get the same response for the same amount of work."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.models import Account
from tests.fixtures.accounts import (
    PASSWORD,
    api,
    auth,
    code_mailed,
    errors,
    person,
    sign_in,
    sign_up,
)

pytestmark = pytest.mark.django_db


class CountingHasher(MD5PasswordHasher):
    """A cheap hasher that counts: hashes are what takes time at sign-in."""

    algorithm = "counting"
    hashes = 0

    def encode(self, password: str, salt: str) -> str:
        """Count one hash."""
        type(self).hashes += 1
        return super().encode(password, salt)


@pytest.fixture(autouse=True)
def _counted(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    CountingHasher.hashes = 0


class Work:
    """The work of a response, and everything that an outsider sees of it."""

    def __init__(self, ask: Callable[[Client], Any]) -> None:
        CountingHasher.hashes = 0
        mails = len(mail.outbox)
        client = Client()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = ask(client)
        self.hashes = CountingHasher.hashes
        self.mails = len(mail.outbox) - mails
        self.queries = len(queries)
        self.seen = (
            answer.status_code,
            answer.json(),
            sorted(answer.headers),
            sorted(client.cookies),
        )


@pytest.fixture
def known() -> Account:
    """An account whose e-mail and name exist."""
    return person("Eve")


def same(one: Work, other: Work) -> None:
    assert one.seen == other.seen
    assert (one.hashes, one.mails) == (other.hashes, other.mails)


def test_sign_in_by_email(known: Account) -> None:
    there = Work(lambda c: sign_in(c, email="eve@example.org", password="wrong"))
    nobody = Work(lambda c: sign_in(c, email="nobody@example.org", password="wrong"))
    same(there, nobody)
    assert there.hashes == 1


def test_sign_in_by_name(known: Account, ada: Account) -> None:
    closed = person("Bob", is_active=False)
    works = [
        Work(lambda c, name=name: sign_in(c, username=name, password="wrong"))  # type: ignore[misc]
        for name in ("Eve", "Nobody", ada.name, closed.name)
    ]
    for work in works[1:]:
        same(works[0], work)
    assert [work.hashes for work in works] == [1, 1, 1, 1]


def test_sign_up(known: Account) -> None:
    there = Work(lambda c: sign_up(c, name="First", email="eve@example.org"))
    nobody = Work(lambda c: sign_up(c, name="Other", email="nobody@example.org"))
    same(there, nobody)
    assert (there.hashes, there.mails) == (1, 1)
    assert abs(there.queries - nobody.queries) <= 2


def test_after_a_sign_up_responses_stay_the_same(known: Account) -> None:
    """In both cases sign-in is pending and a wrong code refused."""
    for name, email in (("First", "eve@example.org"), ("Other", "new@example.org")):
        browser = Client()
        guest = api(browser, "POST", "session/guest/", {}).json()
        sign_up(browser, name=name, email=email)
        assert api(browser, "GET", "account/").json() == guest
        by_name = sign_in(Client(), username=name)
        assert by_name.status_code == 401
        by_email = sign_in(Client(), email=email, password=PASSWORD + "!")
        assert by_email.status_code == 400
        wrong = auth(browser, "POST", "auth/email/verify", {"key": "AAAA-AAAA"})
        assert errors(wrong) == [("key", "incorrect_code")]
        assert auth(browser, "POST", "auth/email/verify/resend").status_code == 200
        assert api(browser, "GET", f"players/{name}/").status_code == 404
        # Another sign-up with that name ends this one.
        assert (
            sign_up(Client(), name=name, email="third@example.org").status_code == 401
        )
        again = auth(browser, "POST", "auth/email/verify", {"key": "AAAA-AAAA"})
        assert errors(again) == [("key", "incorrect_code")]


def test_known_email_gets_no_code(known: Account) -> None:
    sign_up(Client(), name="First", email="eve@example.org")
    sent = str(mail.outbox[-1].body)
    assert "already" in sent
    assert mail.outbox[-1].to == ["eve@example.org"]
    assert known.check_password(PASSWORD)


def test_owner_of_an_email_can_sign_up_after_a_stranger_did() -> None:
    sign_up(Client(), name="Squatter", email="eve@example.org")
    owner = Client()
    assert sign_up(owner, name="Eve").status_code == 401
    key = {"key": code_mailed()}
    assert auth(owner, "POST", "auth/email/verify", key).status_code == 200
    assert api(owner, "GET", "account/").json()["name"] == "Eve"


def test_password_reset(known: Account) -> None:
    def ask(email: str) -> Callable[[Client], Any]:
        return lambda c: auth(c, "POST", "auth/password/request", {"email": email})

    same(Work(ask("eve@example.org")), Work(ask("nobody@example.org")))


@pytest.mark.parametrize("password", ["a", PASSWORD])
def test_wrong_reset_code(known: Account, password: str) -> None:
    """allauth alone would check the password for known e-mails only."""
    answers = []
    for email in ("eve@example.org", "nobody@example.org"):
        client = Client()
        auth(client, "POST", "auth/password/request", {"email": email})
        body = {"key": "AAAA-AAAA", "password": password}
        tries = [auth(client, "POST", "auth/password/reset", body) for _ in range(4)]
        answers.append([(a.status_code, a.json()) for a in tries])
        reads = auth(
            client, "GET", "auth/password/reset", **{"X-Password-Reset-Key": "x"}
        )
        answers[-1].append((reads.status_code, reads.json()))
    assert answers[0] == answers[1]
    assert [status for status, _ in answers[0]] == [400, 400, 400, 409, 409]


def test_changing_to_a_known_email(known: Account) -> None:
    bob = Client()
    person("Bob")
    sign_in(bob, username="Bob")
    auth(bob, "POST", "auth/reauthenticate", {"password": PASSWORD})
    seen = []
    for email in ("eve@example.org", "nobody@example.org"):
        answer = auth(bob, "POST", "account/email", {"email": email})
        seen.append(
            (answer.status_code, [r["verified"] for r in answer.json()["data"]])
        )
        auth(bob, "DELETE", "account/email", {"email": email})
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_response_times_are_similar(known: Account, settings: Any) -> None:
    """With the real hasher, known and unknown take about the same time."""
    settings.PASSWORD_HASHERS = ["scoundrel_site.passwords.LightArgon2Hasher"]
    known.set_password(PASSWORD)
    known.save()
    took: dict[str, list[float]] = {"eve@example.org": [], "nobody@example.org": []}
    for _ in range(5):
        for email, times in took.items():
            start = time.perf_counter()
            sign_in(Client(), email=email, password="wrong")
            times.append(time.perf_counter() - start)
    there, nobody = (min(times) for times in took.values())
    assert 0.5 < there / nobody < 2.0
