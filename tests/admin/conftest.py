"""A desk with something on it: an open case, a live race, a live daily, open runs."""

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


def fresh(account: Account) -> Client:
    """A browser of staff who has just shown who he is."""
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
    """The code that a page says its refusal has."""
    found = CODE.search(text_of(answer))
    return found[1] if found else ""


def cards_in(answer: Any) -> set[str]:
    """Every card code that a page names, in words or in attributes."""
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
def mona_desk(mona: Account) -> Client:
    """Mona the moderator at the desk."""
    return fresh(mona)


@pytest.fixture
def milo_desk(milo: Account) -> Client:
    """Milo the moderator at the desk."""
    return fresh(milo)


@pytest.fixture
def helen_desk(helen: Account) -> Client:
    """Helen the helper at the desk."""
    return fresh(helen)


@pytest.fixture
def anna_desk(anna: Account) -> Client:
    """Anna the administrator at the desk."""
    return fresh(anna)
