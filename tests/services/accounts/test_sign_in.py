"""Which account is signed in, and what becomes of a guest."""

import pytest
from allauth.account.models import EmailAddress

from game.models import Account, OldName, Run
from game.services.accounts import sign_in
from game.services.accounts.accounts import guest_create
from game.services.accounts.sign_in import (
    account_of_login,
    account_sign_in,
    is_verified,
    pending_sign_up_delete,
)
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import PASSWORD, person
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def sign_up(db: None) -> Account:
    """A sign-up whose e-mail was verified and that is about to be signed in."""
    return person("Newcomer", is_guest=True)


def test_sign_up_without_a_guest_is_registered(sign_up: Account) -> None:
    assert sign_up.is_pending
    admitted = account_sign_in(sign_up, guest=None, at=NOON)
    assert (admitted.id, admitted.is_guest) == (sign_up.id, False)
    assert not Account.objects.get(id=sign_up.id).is_guest


def test_guest_row_takes_over_the_sign_up(sign_up: Account, ada: Account) -> None:
    run = practice_start(account=ada, at=NOON)
    guest_name = ada.name
    admitted = account_sign_in(sign_up, guest=ada, at=NOON)
    assert (admitted.id, admitted.name, admitted.is_guest) == (
        ada.id,
        "Newcomer",
        False,
    )
    assert admitted.check_password(PASSWORD)
    assert admitted.email == "newcomer@example.org"
    assert Run.objects.get(id=run.id).account_id == ada.id
    assert not Account.objects.filter(id=sign_up.id).exists()
    assert EmailAddress.objects.get().user_id == ada.id
    assert OldName.objects.get().name == guest_name


def test_practice_runs_move_to_the_account(eve: Account, ada: Account) -> None:
    run = practice_start(account=ada, at=NOON)
    assert account_sign_in(eve, guest=ada, at=NOON).id == eve.id
    assert Run.objects.get(id=run.id).account_id == eve.id
    assert not Account.objects.filter(id=ada.id).exists()


def test_ranked_runs_stay_with_the_closed_guest(
    eve: Account, ada: Account, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "MOVABLE_KINDS", (Run.Kind.DAILY,))
    account_sign_in(eve, guest=ada, at=NOON)
    left = Account.objects.get(id=ada.id)
    assert (left.is_active, left.name[:9]) == (False, "Departed ")
    assert Run.objects.get(id=run.id).account_id == ada.id


def test_signed_in_account_is_not_its_own_guest(eve: Account) -> None:
    assert account_sign_in(eve, guest=eve, at=NOON) == eve
    assert Account.objects.filter(id=eve.id).exists()


def test_account_is_found_by_name_or_verified_email(eve: Account) -> None:
    assert account_of_login(name="ＥVE") == eve  # noqa: RUF001
    assert account_of_login(email="EVE@example.org") == eve
    assert account_of_login(name="eve@example.org") is None
    assert account_of_login(email="nobody@example.org") is None
    assert account_of_login() is None
    EmailAddress.objects.update(verified=False)
    assert account_of_login(email="eve@example.org") is None


def test_is_verified(eve: Account, ada: Account, settings: object) -> None:
    assert is_verified(eve)
    assert not is_verified(ada)
    EmailAddress.objects.update(verified=False)
    assert not is_verified(eve)
    settings.MAIL_IS_SET = False  # type: ignore[attr-defined]
    assert is_verified(eve)
    assert not is_verified(ada)


def test_only_pending_sign_ups_are_deleted(eve: Account, sign_up: Account) -> None:
    guest = guest_create(at=NOON)
    for account in (eve, guest, sign_up):
        pending_sign_up_delete(account.id)
    pending_sign_up_delete("")
    assert set(Account.objects.values_list("id", flat=True)) == {eve.id, guest.id}
