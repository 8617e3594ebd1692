"""Staff clients, and helpers to read pages."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from game.models import Account
from tests.fixtures.moderation import staff
from tests.fixtures.runs import signed_in
from tests.scanner import WORD

TITLE = re.compile(r"<h1>(.*?)</h1>", re.DOTALL)
CODE = re.compile(r'<p class="code">([a-z_.]+)</p>')


def recent_client(account: Account) -> Client:
    """A client of staff with a recent proof of identity."""
    client = signed_in(account)
    session = client.session

    session["signed_in_at"] = timezone.now().timestamp()
    session.save()
    return client


def page(model: str, key: Any = None) -> str:
    """The address of a list, or of a row."""
    kind = "changelist" if key is None else "change"
    return reverse(f"admin:game_{model}_{kind}", args=[] if key is None else [key])


def text_of(answer: Any) -> str:
    """The page's bytes as text."""
    return str(answer.content.decode())


def refused_with(answer: Any) -> str:
    """The code of the refusal on a page."""
    found = CODE.search(text_of(answer))
    return found[1] if found else ""


def cards_in(answer: Any) -> set[str]:
    """Every card code on a page, in text or attributes."""
    return set(WORD.findall(text_of(answer)))


@pytest.fixture
def helen(db: None) -> Account:
    """A helper."""
    return staff("Helen", "helper")


@pytest.fixture
def anna(db: None) -> Account:
    """An administrator."""
    return staff("Anna", "administrator")


@pytest.fixture
def mona_client(mona: Account) -> Client:
    """A client of the moderator Mona."""
    return recent_client(mona)


@pytest.fixture
def milo_client(milo: Account) -> Client:
    """A client of the moderator Milo."""
    return recent_client(milo)


@pytest.fixture
def helen_client(helen: Account) -> Client:
    """A client of the helper Helen."""
    return recent_client(helen)


@pytest.fixture
def anna_client(anna: Account) -> Client:
    """A client of the administrator Anna."""
    return recent_client(anna)
