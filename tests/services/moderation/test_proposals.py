"""Restrictions over 30 days need two moderators; when proposals end."""

from datetime import timedelta

import pytest

from game.models import Account, Act, AuditEntry, Report
from game.services.accounts.accounts import guest_create
from game.services.maintenance.invariants.moderation import breaches
from game.services.maintenance.tick import tick
from game.services.moderation.acts import act_confirm, act_decline
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, report, staff, undo
from tests.fixtures.races import expect_refusal, member, now

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
KINDS = ("mute", "suspend_rated", "suspend", "ban")


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [None, 31 * DAY])
def test_one_moderator_cannot_restrict_for_longer(
    mona: Account, milo: Account, dora: Account, kind: str, length: timedelta | None
) -> None:
    act = do(mona, kind, dora, length=length)
    assert (act.state, act.at) == ("proposed", None)
    confirmed = act_confirm(actor=actor(milo), act_id=act.id, at=now())
    assert (confirmed.state, confirmed.second) == ("in_force", milo)


def test_one_moderator_cannot_restrict_for_longer_by_repetition(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now() - 60 * DAY
    assert do(mona, "suspend", dora, length=30 * DAY, at=at).state == "in_force"
    after = at + 33 * DAY
    assert do(staff("Nina"), "ban", dora, length=DAY, at=after).state == "proposed"
    assert do(mona, "mute", dora, length=DAY, at=at + 36 * DAY).state == "proposed"
    # A week without a restriction begins a new month; what two agreed does not count.
    assert do(mona, "mute", dora, length=DAY, at=at + 37 * DAY).state == "in_force"
    emil = member("Emil")
    do_confirmed(mona, milo, "ban", emil, length=40 * DAY, at=at)
    assert do(mona, "mute", emil, length=DAY, at=at + 41 * DAY).state == "in_force"


def test_time_after_undoing_does_not_count(mona: Account, dora: Account) -> None:
    at = now() - 40 * DAY
    undo(mona, do(mona, "suspend", dora, length=30 * DAY, at=at), at=at + DAY)
    assert (
        do(mona, "suspend", dora, length=30 * DAY, at=at + 9 * DAY).state == "in_force"
    )


def state_of(act: Act) -> tuple[str, str]:
    """The state of the act and the verb of its last entry in the log."""
    act.refresh_from_db()
    last = AuditEntry.objects.filter(target=f"act:{act.id}").order_by("-number").first()
    assert last is not None
    return act.state, last.verb


@pytest.mark.parametrize("ending", ["dismiss", "close"])
def test_proposals_end_with_their_case(
    mona: Account, milo: Account, dora: Account, ending: str
) -> None:
    emil = member("Emil")
    case, other = (report(emil, dora, kind).case for kind in ("cheating", "chat"))
    proposals = [do(mona, "ban", dora, case_id=one.id) for one in (case, other)]
    closed = do(milo, ending, case_id=case.id)
    assert [state_of(one) for one in proposals] == [
        ("declined", "expired"),
        ("proposed", "proposed"),
    ]
    assert "Its case was closed." in proposals[0].note
    for decide in (act_confirm, act_decline):
        with expect_refusal("act.not_proposed"):
            decide(actor=actor(milo), act_id=proposals[0].id, at=now())
    with expect_refusal("case.closed"):
        do(mona, "ban", dora, case_id=case.id)
    undo(milo, closed)
    assert do(mona, "ban", dora, case_id=case.id).state == "proposed"
    assert not list(breaches())


@pytest.mark.parametrize("outcome", ["lifted", "upheld"])
def test_proposals_end_with_an_appeal_about_the_same_act(
    mona: Account, milo: Account, dora: Account, outcome: str
) -> None:
    case = report(member("Emil"), dora).case
    act = do(mona, "ban", dora, length=DAY, case_id=case.id)
    same_kind = do(mona, "ban", dora)
    same_case = do(mona, "mark_cheat", dora, case_id=case.id)
    other = do(mona, "mute", dora)
    appeal = appeal_make(account_id=dora.id, act_id=act.id, text="No!", at=now())
    assert state_of(same_kind) == ("proposed", "proposed")
    appeal_decide(
        actor=actor(milo), appeal_id=appeal.id, outcome=outcome, answer="", at=now()
    )
    assert [state_of(one)[0] for one in (same_kind, same_case, other)] == [
        *("declined", "declined", "proposed")
    ]


def test_unconfirmed_proposals_expire(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    act = do(mona, "ban", dora, at=at)
    assert tick(at=at + 14 * DAY - timedelta(seconds=1))["proposals_expire"] == 0
    assert tick(at=at + 14 * DAY)["proposals_expire"] == 1
    assert tick(at=at + 14 * DAY)["proposals_expire"] == 0
    assert state_of(act) == ("declined", "expired")
    with expect_refusal("act.not_proposed"):
        act_confirm(actor=actor(milo), act_id=act.id, at=now())


def test_reports_of_guests_weigh_little_in_any_number(dora: Account) -> None:
    guests = [guest_create(at=now()) for _ in range(12)]
    case = report(guests[0], dora).case
    for guest in guests[1:]:
        report(guest, dora)
    case.refresh_from_db()
    assert case.weight == pytest.approx(1.0)
    weights = list(Report.objects.order_by("at").values_list("weight", flat=True))
    assert weights == [pytest.approx(0.1)] * 10 + [pytest.approx(0.0)] * 2
    report(member("Emil"), dora)
    case.refresh_from_db()
    assert case.weight == pytest.approx(2.0)


def test_one_proposal_of_a_kind_stands(
    mona: Account, milo: Account, dora: Account
) -> None:
    """The other moderator confirms or declines it; after that another can be made."""
    proposal = do(mona, "mark_cheat", dora)
    with expect_refusal("act.proposed"):
        do(milo, "mark_cheat", dora)
    # Restrictions may overlap, so several can be proposed.
    assert do(mona, "ban", dora).state == do(milo, "ban", dora).state == "proposed"
    act_decline(actor=actor(milo), act_id=proposal.id, at=now())
    assert do(milo, "mark_cheat", dora).state == "proposed"
