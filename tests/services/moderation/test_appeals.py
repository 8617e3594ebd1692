"""Appeals: one for each sanction, decided by another moderator."""

import pytest
from allauth.mfa.models import Authenticator

from game.models import Account, Act, Appeal, AuditEntry, Notice
from game.services.core.errors import Kind
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, staff, undo
from tests.fixtures.races import expect_refusal, member, now

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


def test_upheld_act_stays_in_force(mona: Account, milo: Account, dora: Account) -> None:
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
    with expect_refusal("appeal.decided"):
        decide(milo, decided)
    with expect_refusal("appeal.once"):
        appeal(act)


def test_lifted_appeal_undoes_the_act(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "ban", dora, length=DAY)
    decide(milo, appeal(act), "lifted", "Sorry.")
    act.refresh_from_db()
    dora.refresh_from_db()
    assert (act.state, dora.banned_until) == ("undone", None)
    assert act.undone_by.kind == "unban"


def test_appeal_against_own_act_cannot_be_decided(
    mona: Account, milo: Account, dora: Account
) -> None:
    made = appeal(do_confirmed(mona, milo, "ban", dora))
    for one in (mona, milo):
        with expect_refusal("appeal.own_decision", Kind.FORBIDDEN):
            decide(one, made)
    with expect_refusal("staff.role", Kind.FORBIDDEN):
        decide(staff("Hal", "helper"), made)
    decide(staff("Max"), made)


def test_malformed_appeals_are_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "mute", dora, length=DAY)
    with expect_refusal("appeal.empty", Kind.MALFORMED):
        appeal(act, "  ")
    with expect_refusal("appeal.too_long", Kind.MALFORMED):
        appeal(act, "x" * 1001)
    with expect_refusal("act.not_found", Kind.NOT_FOUND):
        appeal_make(account_id=mona.id, act_id=act.id, text="x", at=now())
    with expect_refusal("act.not_found", Kind.NOT_FOUND):
        appeal(do(mona, "mark_cheat", dora))  # proposed: nothing was done yet
    undo(mona, act)
    with expect_refusal("appeal.not_possible"):
        appeal(act)


def test_malformed_decisions_are_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    made = appeal(do(mona, "mute", dora, length=DAY))
    with expect_refusal("appeal.no_such_outcome", Kind.MALFORMED):
        decide(milo, made, "perhaps")
    with expect_refusal("appeal.not_found", Kind.NOT_FOUND):
        decide(milo, Appeal(id="nothing"))


def test_subject_who_became_staff_cannot_decide_their_appeal(
    mona: Account, dora: Account
) -> None:
    made = appeal(do(mona, "warn", dora))
    Account.objects.filter(id=dora.id).update(is_staff=True, staff_role="moderator")
    Authenticator.objects.create(
        user=dora, type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    with expect_refusal("appeal.own_decision", Kind.FORBIDDEN):
        decide(dora, made)


def test_appeal_against_an_act_undone_meanwhile_is_decided(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "mute", dora, length=DAY)
    made = appeal(act)
    undo(mona, act)
    assert decide(milo, made, "lifted").outcome == "lifted"
    assert Act.objects.filter(undoes=act).count() == 1
