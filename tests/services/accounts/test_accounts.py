"""Guests get a name of their own."""

import pytest

from game.models import Account, name_key
from game.services.accounts import accounts
from game.services.accounts.accounts import guest_create, guest_name
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def test_guest_has_a_name_and_no_password() -> None:
    guest = guest_create(at=NOON)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert 3 <= len(guest.name) <= 20
    assert guest.name_key == name_key(guest.name)


def test_guest_names_are_short_enough() -> None:
    assert all(3 <= len(guest_name()) <= 20 for _ in range(500))


def test_taken_guest_name_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(["Wry Rat 1000", "WRY RAT 1000", "Wry Bat 1000"])
    monkeypatch.setattr(accounts, "guest_name", lambda: next(names))
    assert guest_create(at=NOON).name == "Wry Rat 1000"
    assert guest_create(at=NOON).name == "Wry Bat 1000"
    assert Account.objects.count() == 2
