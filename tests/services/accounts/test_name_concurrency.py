"""Look-alike names that are taken at the same moment: one account gets its name."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from game.models import Account
from game.services.accounts.accounts import account_change, guest_create
from game.services.accounts.sign_in import account_sign_in
from tests.fixtures.accounts import person
from tests.fixtures.runs import NOON
from tests.fixtures.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6
LATER = NOON + timedelta(days=100)


def look_alikes(number: int) -> tuple[str, str]:
    """Two names that look alike and have different keys."""
    return f"Lilly {number}x", f"LiIIy {number}x"


def sign_up(name: str, *, is_guest: bool) -> Callable[[], Any]:
    """The end of a sign-up: its e-mail has been verified."""
    pending = person(name, is_guest=True)
    guest = guest_create(at=NOON) if is_guest else None
    return lambda: account_sign_in(pending, guest=guest, at=LATER)


def rename(name: str) -> Callable[[], Any]:
    account = person(f"Before {name}"[:20])
    return lambda: account_change(account_id=account.id, at=LATER, name=name)


@pytest.mark.parametrize("is_guest", [True, False])
def test_two_sign_ups_at_once(is_guest: bool) -> None:
    """The other account gets a generated name and can change it."""
    for number in range(ROUNDS):
        names = look_alikes(number)
        at_once(*(sign_up(name, is_guest=is_guest) for name in names))
        kept = Account.objects.filter(name__in=names, is_guest=False)
        assert kept.count() == 1
    assert Account.objects.filter(is_guest=False).count() == 2 * ROUNDS


def test_two_changes_of_name_at_once() -> None:
    for number in range(ROUNDS):
        names = look_alikes(number)
        answers = at_once(*(rename(name) for name in names))
        assert answers.count("name.too_close") == 1
        assert Account.objects.filter(name__in=names).count() == 1


def test_a_sign_up_and_a_change_of_name_at_once() -> None:
    for number in range(ROUNDS):
        first, second = look_alikes(number)
        at_once(sign_up(first, is_guest=False), rename(second))
        kept = Account.objects.filter(name__in=[first, second])
        assert kept.count() == 1
