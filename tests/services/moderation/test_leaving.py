"""Who leaves takes his words along; that order was kept stays. His file has it all."""

import json

import pytest

from game.models import Account, Act, Appeal, Notice, Report
from game.services.exports import account_export
from game.services.invariants import moderation
from game.services.leaving import account_close, account_drop
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures_moderation import DAY, actor, do, report, staff, undo
from tests.fixtures_races import member, now, refused

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def dora(mona: Account, milo: Account) -> Account:
    """Somebody who reported, was judged, and appealed."""
    dora, emil = member("Dora"), member("Emil")
    report(dora, emil, text="He knew the deck.")
    report(emil, dora, "name")
    do(mona, "rename", dora, reason="name")
    act = do(mona, "ban", dora, length=DAY, text="Until tomorrow.", note="For staff.")
    made = appeal_make(account_id=dora.id, act_id=act.id, text="Why?", at=now())
    appeal_decide(
        actor=actor(milo), appeal_id=made.id, outcome="upheld", answer="So.", at=now()
    )
    dora.refresh_from_db()
    return dora


def test_one_s_file_has_it_all_but_who_and_what_staff_wrote(dora: Account) -> None:
    found = account_export(account=dora, at=now())
    text = json.dumps(found)
    assert found["standing"]["standing"] == "banned"
    assert {one["kind"] for one in found["standing"]["sanctions"]} == {"ban", "rename"}
    assert found["standing"]["reports"][0]["text"] == "He knew the deck."
    assert found["appeals"][0]["answer"] == "So."
    for hidden in ("Mona", "Milo", "For staff"):
        assert hidden not in text


def test_leaving_takes_words_and_keeps_what_was_done(dora: Account) -> None:
    account_close(dora.id, at=now())
    assert not Notice.objects.filter(account=dora).exists()
    assert Report.objects.get(reporter=dora).text == ""
    assert Report.objects.get(case__subject=dora).seen == ""
    assert Appeal.objects.get().text == ""
    renamed = Act.objects.get(kind="rename")
    assert renamed.facts == {"key": "dora", "skeleton": "dora"}
    with refused("act.name_gone"):
        undo(Account.objects.get(name="Mona"), renamed)
    dora.refresh_from_db()
    assert dora.banned_until is not None
    assert not [str(one) for one in moderation.breaches()]


def test_staff_who_leave_are_staff_no_more(mona: Account) -> None:
    helper = staff("Hal", "helper")
    account_drop(helper.id, at=now())
    account_close(mona.id, at=now())
    mona.refresh_from_db()
    assert (mona.staff_role, mona.is_staff) == ("", False)


def test_a_guest_who_reported_leaves_a_nameless_row(ada: Account, bob: Account) -> None:
    report(ada, bob)
    account_drop(ada.id, at=now())
    ada.refresh_from_db()
    assert ada.closed_at is not None
