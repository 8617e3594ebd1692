"""Which moderation data account deletion keeps, and data exports include."""

import json

import pytest

from game.models import Account, Act, Appeal, BannedName, Flag, Notice, Report
from game.services.accounts.deletion import (
    account_close,
    account_delete_or_close,
    expired_rows_prune,
)
from game.services.accounts.exports import account_export
from game.services.accounts.names import name_check_free
from game.services.accounts.sign_in import account_sign_in
from game.services.core.errors import Kind
from game.services.maintenance.invariants import moderation
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures.accounts import person
from tests.fixtures.moderation import DAY, actor, do, report, staff, undo
from tests.fixtures.races import expect_refusal, member, now

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(mona: Account, milo: Account) -> Account:
    """An account that reported, was banned, and appealed."""
    dora, emil = member("Dora"), member("Emil")
    report(dora, emil, text="They knew the deck.")
    report(emil, dora, "name")
    do(mona, "rename", dora, reason="name")
    act = do(mona, "ban", dora, length=DAY, text="Until tomorrow.", note="For staff.")
    made = appeal_make(account_id=dora.id, act_id=act.id, text="I disagree.", at=now())
    appeal_decide(
        actor=actor(milo),
        appeal_id=made.id,
        outcome="upheld",
        answer="The ban stays.",
        at=now(),
    )
    dora.refresh_from_db()
    return dora


def test_export_has_sanctions_without_staff_and_notes(dora: Account) -> None:
    found = account_export(account=dora, at=now())
    text = json.dumps(found)
    assert found["standing"]["standing"] == "banned"
    assert {one["kind"] for one in found["standing"]["sanctions"]} == {"ban", "rename"}
    assert found["standing"]["reports"][0]["text"] == "They knew the deck."
    assert found["appeals"][0]["answer"] == "The ban stays."
    for hidden in ("Mona", "Milo", "For staff"):
        assert hidden not in text


def test_account_deletion_removes_texts_and_keeps_acts(dora: Account) -> None:
    account_close(dora.id, at=now())
    assert not Notice.objects.filter(account=dora).exists()
    assert Report.objects.get(reporter=dora).text == ""
    assert Report.objects.get(case__subject=dora).seen == ""
    assert Appeal.objects.get().text == ""
    renamed = Act.objects.get(kind="rename")
    assert renamed.facts == {"key": "dora", "skeleton": "dora"}
    with expect_refusal("act.name_gone"):
        undo(Account.objects.get(name="Mona"), renamed)
    dora.refresh_from_db()
    assert dora.banned_until is not None
    assert not [str(one) for one in moderation.breaches()]


def test_account_deletion_removes_the_role(mona: Account) -> None:
    helper = staff("Hal", "helper")
    account_delete_or_close(helper.id, at=now())
    account_close(mona.id, at=now())
    mona.refresh_from_db()
    assert (mona.staff_role, mona.is_staff) == ("", False)


def test_reporting_guest_is_closed_instead_of_deleted(
    ada: Account, bob: Account
) -> None:
    report(ada, bob)
    account_delete_or_close(ada.id, at=now())
    ada.refresh_from_db()
    assert ada.closed_at is not None


def test_name_of_deleted_banned_account_is_reserved(mona: Account) -> None:
    rex = person("Rex Roe")
    do(mona, "ban", rex, length=DAY)
    rex.refresh_from_db()
    account_close(rex.id, at=now())
    account_close(rex.id, at=now())
    for name in ("Rex Roe", "rex-roe", "REX ROE"):
        with expect_refusal("name.refused", Kind.MALFORMED):
            name_check_free(name, at=now())
    kept = BannedName.objects.get()
    assert "rex.roe" not in kept.email_mark
    assert len(kept.email_mark) == 64
    name_check_free("Rex Roe", at=now() + DAY)
    assert expired_rows_prune(at=now() + 2 * DAY) >= 1
    assert not BannedName.objects.exists()


def test_sign_up_with_email_of_a_banned_account_is_flagged(mona: Account) -> None:
    rex = person("Rex", "rex@example.org")
    do(mona, "ban", rex, length=DAY)
    account_close(rex.id, at=now())
    back = person("Newcomer", "REX@example.org", is_guest=True)
    other = person("Other", is_guest=True)
    for one in (back, other):
        account_sign_in(one, guest=None, at=now())
    flag = Flag.objects.get()
    assert (flag.subject_id, flag.kind) == (back.id, "banned_return")
    assert flag.evidence["other"] == rex.id
    assert flag.case.kind == "second_account"


def test_undone_ban_releases_the_name(mona: Account) -> None:
    rex, fay = person("Rex"), person("Fay")
    act = do(mona, "ban", rex, length=DAY)
    for one in (rex, fay):
        account_close(one.id, at=now())
    name_check_free("Fay", at=now())
    undo(mona, act)
    name_check_free("Rex", at=now())
