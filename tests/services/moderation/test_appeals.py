"""Appeals: once a sanction, and judged by somebody who had no part in it."""

import pytest

from game.models import Account, Act, Appeal, AuditEntry, Notice
from game.services.core.errors import Kind
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, staff, undo
from tests.fixtures.races import member, now, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


def appeal(act: Act, text: str = "Look again.") -> Appeal:
    return appeal_make(
        account_id=act.subject_id or "", act_id=act.id, text=text, at=now()
    )


def decide(
    by: Account, made: Appeal, outcome: str = "upheld", answer: str = "It stands."
) -> Appeal:
    return appeal_decide(
        actor=actor(by), appeal_id=made.id, outcome=outcome, answer=answer, at=now()
    )


def test_an_upheld_act_stands_and_says_why(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "mute", dora, length=DAY)
    decided = decide(milo, appeal(act))
    act.refresh_from_db()
    assert (act.state, decided.outcome, decided.decided_by) == (
        *("in_force", "upheld"),
        milo,
    )
    assert "It stands." in Notice.objects.get(kind="appeal").words
    entries = AuditEntry.objects.filter(subject=dora).order_by("number")
    assert [entry.verb for entry in entries] == [
        "mute",
        "appeal_made",
        "appeal_decided",
    ]
    with refused("appeal.decided"):
        decide(milo, decided)
    with refused("appeal.once"):
        appeal(act)


def test_a_granted_one_takes_the_act_back(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "ban", dora, length=DAY)
    decide(milo, appeal(act), "lifted", "Sorry.")
    act.refresh_from_db()
    dora.refresh_from_db()
    assert (act.state, dora.banned_until) == ("undone", None)
    assert act.undone_by.kind == "unban"


def test_nobody_judges_what_he_did(mona: Account, milo: Account, dora: Account) -> None:
    made = appeal(do_confirmed(mona, milo, "ban", dora))
    for one in (mona, milo):
        with refused("appeal.own_decision", Kind.FORBIDDEN):
            decide(one, made)
    with refused("staff.role", Kind.FORBIDDEN):
        decide(staff("Hal", "helper"), made)
    decide(staff("Max"), made)


def test_what_is_no_appeal(mona: Account, milo: Account, dora: Account) -> None:
    act = do(mona, "mute", dora, length=DAY)
    with refused("appeal.empty", Kind.MALFORMED):
        appeal(act, "  ")
    with refused("appeal.too_long", Kind.MALFORMED):
        appeal(act, "x" * 1001)
    with refused("act.not_found", Kind.NOT_FOUND):
        appeal_make(account_id=mona.id, act_id=act.id, text="x", at=now())
    with refused("act.not_found", Kind.NOT_FOUND):
        appeal(do(mona, "mark_cheat", dora))  # proposed: nothing was done yet
    undo(mona, act)
    with refused("appeal.not_possible"):
        appeal(act)


def test_what_is_no_decision(mona: Account, milo: Account, dora: Account) -> None:
    made = appeal(do(mona, "mute", dora, length=DAY))
    with refused("appeal.no_such_outcome", Kind.MALFORMED):
        decide(milo, made, "perhaps")
    with refused("appeal.not_found", Kind.NOT_FOUND):
        decide(milo, Appeal(id="nothing"))
