"""People, and runs to play."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from game.models import Account, Run
from game.services.accounts import guest_create
from game.services.runs import practice_start

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def noon() -> datetime:
    """A moment to start from."""
    return NOON


@pytest.fixture
def ada(db: None) -> Account:
    """Somebody who plays."""
    return guest_create(at=NOON)


@pytest.fixture
def bob(db: None) -> Account:
    """Somebody else."""
    return guest_create(at=NOON)


@pytest.fixture
def run(ada: Account) -> Run:
    """A run of Ada's on the seed "a", at its first room: 4C KS 2D TH."""
    return practice_start(account=ada, at=NOON, seed="a")


def signed_in(account: Account) -> Client:
    """A browser of that account."""
    client = Client()
    client.force_login(account)
    return client


@pytest.fixture
def ada_client(ada: Account) -> Client:
    """Ada's browser."""
    return signed_in(ada)


@pytest.fixture
def bob_client(bob: Account) -> Client:
    """Bob's browser."""
    return signed_in(bob)


Post = Callable[..., Any]


def post(client: Client, path: str, body: Any = None, **headers: str) -> Any:
    """POST a JSON body (bytes go as they are)."""
    return client.post(
        f"/api/v1/{path}",
        {} if body is None else body,
        content_type="application/json",
        headers=headers or None,
    )
