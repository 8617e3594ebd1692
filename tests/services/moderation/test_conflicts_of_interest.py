"""Conflicts of interest: moderators cannot judge contests they play in."""

import pytest

from game.models import Account, Act, Daily, Entrant, Run
from game.services.core.errors import Kind
from game.services.dailies.settle import daily_settle
from game.services.moderation.acts import act_confirm, act_decline
from game.services.moderation.appeals import appeal_decide, appeal_make
from game.services.races.chat import chat_send
from tests.fixtures.dailies import SETTLES, attempt
from tests.fixtures.moderation import actor, do, staff, undo
from tests.fixtures.races import create_race, expect_refusal, member, now, start_race

pytestmark = pytest.mark.django_db
FORBIDDEN = Kind.FORBIDDEN


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


def test_acts_on_own_race_are_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    race_id = create_race([mona, dora])
    said = chat_send(account_id=dora.id, race_id=race_id, text="so there", at=now())
    line = f"{race_id}:{said['number']}"
    for kind, subject, target in (
        *(("hold_race", None, race_id), ("void_race", None, race_id)),
        *(("disqualify", dora, race_id), ("delete_text", None, line)),
    ):
        with expect_refusal("act.own_contest", FORBIDDEN):
            do(mona, kind, subject, target=target)
    assert not Act.objects.exists()
    held = do(milo, "hold_race", target=race_id)
    with expect_refusal("act.own_contest", FORBIDDEN):
        undo(mona, held)
    undo(milo, held)


def test_moderator_who_left_the_race_may_act(mona: Account, dora: Account) -> None:
    race_id = create_race([dora, mona])
    Entrant.objects.filter(account=mona).update(left_at=now())
    do(mona, "hold_race", target=race_id)


def test_appeal_about_own_race_cannot_be_decided(
    mona: Account, milo: Account, dora: Account
) -> None:
    race_id = start_race([mona, dora], rated=False)
    act = do(milo, "disqualify", dora, target=race_id)
    made = appeal_make(account_id=dora.id, act_id=act.id, text="No!", at=now())
    with expect_refusal("act.own_contest", FORBIDDEN):
        appeal_decide(
            actor=actor(mona),
            appeal_id=made.id,
            outcome="upheld",
            answer="",
            at=now(),
        )
    made.refresh_from_db()
    assert made.outcome == ""


def test_acts_on_own_daily_are_refused(
    mona: Account, milo: Account, daily: Daily, played_daily: list[Run]
) -> None:
    own = attempt(mona, chance=3)
    other = attempt(milo, chance=3)
    assert own.ranked
    assert other.ranked
    daily_settle(daily.id, at=SETTLES)
    for kind, target in (("void_run", played_daily[0].id), ("void_daily", daily.id)):
        with expect_refusal("act.own_contest", FORBIDDEN):
            do(mona, kind, target=target, at=SETTLES)
    # They cannot confirm another moderator's proposal either.
    nina = staff("Nina")
    act = do(nina, "void_daily", target=daily.id, at=SETTLES)
    with expect_refusal("act.own_contest", FORBIDDEN):
        act_confirm(actor=actor(mona, SETTLES), act_id=act.id, at=SETTLES)


def test_subject_or_equal_cannot_decline_proposal(mona: Account, milo: Account) -> None:
    chief = staff("Chief", "administrator")
    act = do(chief, "ban", milo)
    with expect_refusal("act.own", FORBIDDEN):
        act_decline(actor=actor(milo), act_id=act.id, at=now())
    with expect_refusal("act.rank", FORBIDDEN):
        act_decline(actor=actor(mona), act_id=act.id, at=now())
    act.refresh_from_db()
    assert act.state == "proposed"
    assert act_decline(actor=actor(chief), act_id=act.id, at=now()).state == "declined"


def test_proposal_about_own_daily_cannot_be_declined(
    mona: Account, daily: Daily, played_daily: list[Run]
) -> None:
    attempt(mona, chance=3)
    daily_settle(daily.id, at=SETTLES)
    act = do(staff("Nina"), "void_daily", target=daily.id, at=SETTLES)
    with expect_refusal("act.own_contest", FORBIDDEN):
        act_decline(actor=actor(mona, SETTLES), act_id=act.id, at=SETTLES)


def test_unranked_daily_run_is_no_conflict(
    mona: Account, daily: Daily, played_daily: list[Run]
) -> None:
    own = attempt(mona, chance=3)
    daily_settle(daily.id, at=SETTLES)
    # Settling ranks the attempts of accounts that qualify, hers among them.
    Run.objects.filter(id=own.id).update(ranked=False)
    act = do(mona, "void_daily", target=daily.id, at=SETTLES)
    assert act.state == "proposed"
