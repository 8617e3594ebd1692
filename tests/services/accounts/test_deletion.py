"""Closing an account removes personal data and keeps results."""

from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from game.models import Account, Move, OldName, Run, Session, Throttle
from game.services.accounts.accounts import account_change, guest_create
from game.services.accounts.deletion import (
    account_close,
    account_delete_or_close,
    expired_rows_prune,
    guests_prune,
)
from game.services.maintenance.tick import tick
from game.services.runs.moves.play import move_play
from game.services.runs.runs import practice_start, run_abandon
from tests.fixtures.accounts import person, token_of
from tests.fixtures.runs import NOON, signed_in

pytestmark = pytest.mark.django_db
MONTH = timedelta(days=30)


def finished(account: Account, at: datetime = NOON) -> Run:
    run = practice_start(account=account, at=at)
    return run_abandon(account_id=account.id, run_id=run.id, at=at)


def test_closing_removes_personal_data_and_keeps_results(eve: Account) -> None:
    account_change(
        account_id=eve.id, at=NOON, name="Evelyn", preferences={"theme": "dark"}
    )
    run = practice_start(account=eve, at=NOON, seed="a")
    move_play(account_id=eve.id, run_id=run.id, index=0, code="2D")
    run_abandon(account_id=eve.id, run_id=run.id, at=NOON)
    token, _ = token_of(eve, "read")
    Authenticator.objects.create(user=eve, type="totp", data={"secret": "x"})
    UserSession.objects.create(
        user=eve, ip="127.0.0.1", session_key="k", user_agent="x"
    )
    client = signed_in(Account.objects.get(id=eve.id))
    assert client.get("/api/v1/account/").status_code == 200

    closed = account_close(eve.id, at=NOON)

    assert closed.name == f"Departed {eve.id[:11]}"
    assert (closed.email, closed.preferences, closed.is_active) == (None, {}, False)
    assert (closed.closed_at, closed.has_usable_password()) == (NOON, False)
    for table in (EmailAddress, Authenticator, UserSession, OldName, Session):
        assert not table.objects.exists(), table
    assert type(token).objects.count() == 0
    assert client.get("/api/v1/account/").status_code == 401
    assert Run.objects.get(id=run.id).account_id == eve.id
    assert Move.objects.count() == 1


def test_closing_twice_changes_nothing_more(eve: Account) -> None:
    account_close(eve.id, at=NOON)
    account_close(eve.id, at=NOON)
    assert Account.objects.count() == 1


def test_account_without_results_is_deleted(eve: Account, ada: Account) -> None:
    finished(ada)
    account_delete_or_close(eve.id, at=NOON)
    account_delete_or_close(ada.id, at=NOON)
    assert list(Account.objects.values_list("id", "is_active")) == [(ada.id, False)]


def test_idle_guests_are_removed_after_thirty_days(db: None) -> None:
    idle, player, lately, back = (guest_create(at=NOON) for _ in range(4))
    finished(player)
    finished(lately, at=NOON + timedelta(days=1))
    Account.objects.filter(id=back.id).update(seen_at=NOON + timedelta(days=2))
    person("Eve")
    assert guests_prune(at=NOON + MONTH - timedelta(seconds=1)) == 0
    assert guests_prune(at=NOON + MONTH) == 2
    assert not Account.objects.filter(id=idle.id).exists()
    assert Account.objects.get(id=player.id).name.startswith("Departed ")
    kept = Account.objects.filter(is_active=True, is_guest=True)
    assert set(kept.values_list("id", flat=True)) == {lately.id, back.id}
    assert guests_prune(at=NOON + MONTH) == 0


def test_unverified_sign_up_is_removed_after_a_day(db: None) -> None:
    person("Newcomer", is_guest=True)
    assert guests_prune(at=NOON + timedelta(hours=23)) == 0
    assert guests_prune(at=NOON + timedelta(days=1)) == 1
    assert not Account.objects.exists()


def test_expired_rows_are_deleted(eve: Account) -> None:
    Throttle.objects.create(key="a", count=1, resets_at=NOON)
    OldName.objects.create(
        key="old", skeleton="old", name="Old", account=eve, until=NOON
    )
    token, _ = token_of(eve, "read", at=NOON - timedelta(days=31))
    Session.objects.create(session_key="s", session_data="", expire_date=NOON)
    UserSession.objects.create(
        user=eve, ip="127.0.0.1", session_key="s", user_agent="x"
    )
    assert expired_rows_prune(at=NOON - timedelta(seconds=1)) == 0
    assert expired_rows_prune(at=NOON) == 5
    assert expired_rows_prune(at=NOON) == 0
    assert not type(token).objects.exists()


def test_tick_prunes_and_may_run_twice(db: None) -> None:
    guest_create(at=NOON)
    assert tick(at=NOON + MONTH)["guests_prune"] == 1
    assert tick(at=NOON + MONTH)["guests_prune"] == 0
