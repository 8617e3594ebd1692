"""Changes to an account by its owner: name, preferences, becoming a bot account."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from game.models import Account, OldName
from game.services.accounts import accounts
from game.services.accounts.accounts import account_change, account_record_seen
from game.services.accounts.browsers import Browser, is_familiar_browser
from game.services.core.errors import ServiceRefusal
from tests.fixtures.accounts import person
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def refusal(account: Account, **change: object) -> str:
    with pytest.raises(ServiceRefusal) as refused:
        account_change(**{"account_id": account.id, "at": NOON, **change})
    return refused.value.code


def test_first_rename_is_free_then_one_a_week(eve: Account) -> None:
    first = account_change(account_id=eve.id, at=NOON, name="Evelyn")
    assert (first.name, first.name_key, first.renamed_at) == ("Evelyn", "evelyn", NOON)
    early = NOON + timedelta(days=7, seconds=-1)
    with pytest.raises(ServiceRefusal) as refused:
        account_change(account_id=eve.id, at=early, name="Evita")
    assert refused.value.code == "name.too_soon"
    assert refused.value.detail["retry_after_s"] in (1, 2)
    account_change(account_id=eve.id, at=NOON + timedelta(days=7), name="Evita")
    assert set(OldName.objects.values_list("key", flat=True)) == {"eve", "evelyn"}


def test_change_of_case_is_not_limited(eve: Account) -> None:
    changed = account_change(account_id=eve.id, at=NOON, name="EVE")
    assert (changed.name, changed.renamed_at) == ("EVE", None)
    assert not OldName.objects.exists()
    assert account_change(account_id=eve.id, at=NOON, name="EVE").name == "EVE"


def test_guest_cannot_rename(ada: Account) -> None:
    assert refusal(ada, name="Adele") == "account.guest"
    assert refusal(ada, is_bot=True) == "account.guest"


def test_name_taken_at_the_same_moment_is_refused(
    eve: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("Bob")
    monkeypatch.setattr(accounts, "name_check_free", lambda *_, **__: None)
    assert refusal(eve, name="Bob") == "name.taken"
    with pytest.raises(IntegrityError):
        Account.objects.create_user("BOB", None, None)


def test_preferences_are_merged(eve: Account) -> None:
    account_change(account_id=eve.id, at=NOON, preferences={"theme": "dark"})
    account_change(account_id=eve.id, at=NOON, preferences={"sound": True})
    changed = account_change(account_id=eve.id, at=NOON, preferences={"theme": None})
    assert changed.preferences == {"sound": True}


def test_bot_stays_a_bot(eve: Account) -> None:
    assert account_change(account_id=eve.id, at=NOON, is_bot=False).is_bot is False
    assert account_change(account_id=eve.id, at=NOON, is_bot=True).is_bot is True
    assert refusal(eve, is_bot=False) == "account.bot_for_good"


def test_refused_change_changes_nothing(eve: Account) -> None:
    assert refusal(eve, preferences={"theme": "dark"}, name="x") == "name.length"
    assert Account.objects.get(id=eve.id).preferences == {}


def test_seen_is_written_once_an_hour_and_each_new_browser_at_once(
    eve: Account,
) -> None:
    here = Browser("10.0.0.1", "Firefox", "c")
    soon, later = NOON + timedelta(minutes=59), NOON + timedelta(hours=1)
    account_record_seen(eve, here, at=soon)
    assert Account.objects.get(id=eve.id).seen_at == NOON
    assert is_familiar_browser(eve.id, "c", before=later)
    assert not is_familiar_browser(eve.id, "c", before=soon)
    account_record_seen(eve, here._replace(cookie="d"), at=soon + timedelta(seconds=1))
    assert is_familiar_browser(eve.id, "d", before=later)
    account_record_seen(eve, here, at=later)
    assert Account.objects.get(id=eve.id).seen_at == later
