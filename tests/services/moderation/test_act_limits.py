"""Acts that need another moderator, repeated acts, and acts of higher roles."""

from datetime import timedelta

import pytest

from game.models import Account, Act
from game.services.accounts.browsers import browser_record
from game.services.core.errors import Kind
from game.services.moderation.acts import act_confirm
from game.services.moderation.appeals import appeal_decide, appeal_make
from game.services.races.chat import chat_send
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, report, staff, undo
from tests.fixtures.races import create_race, expect_refusal, member, now

pytestmark = pytest.mark.django_db
FORBIDDEN = Kind.FORBIDDEN


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


def lifted(by: Account, act: Act) -> None:
    made = appeal_make(
        account_id=act.subject_id or "", act_id=act.id, text="No!", at=now()
    )
    appeal_decide(
        actor=actor(by), appeal_id=made.id, outcome="lifted", answer="", at=now()
    )


def test_act_lifted_by_appeal_needs_a_second_moderator(
    mona: Account, milo: Account, dora: Account
) -> None:
    lifted(milo, do(mona, "ban", dora, length=DAY))
    again = do(mona, "ban", dora, length=DAY)
    dora.refresh_from_db()
    assert (again.state, dora.banned_until) == ("proposed", None)
    with expect_refusal("act.second_same", FORBIDDEN):
        act_confirm(actor=actor(mona), act_id=again.id, at=now())
    assert act_confirm(actor=actor(milo), act_id=again.id, at=now()).second == milo
    # Another kind of act, or another moderator, needs no confirmation.
    assert do(mona, "mute", dora, length=DAY).state == "in_force"
    assert do(staff("Nina"), "ban", dora, length=DAY).state == "in_force"


def test_confirmer_of_lifted_act_needs_a_second_moderator(
    mona: Account, milo: Account, dora: Account
) -> None:
    lifted(staff("Nina"), do_confirmed(mona, milo, "ban", dora))
    assert do(milo, "ban", dora, length=DAY).state == "proposed"


def test_repeated_act_within_a_minute_is_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    act = do(mona, "mute", dora, length=DAY, at=at)
    with expect_refusal("act.twice"):
        do(mona, "mute", dora, length=DAY, at=at + timedelta(seconds=59))
    do(mona, "mute", dora, length=2 * DAY, at=at)
    do(milo, "mute", dora, length=DAY, at=at)
    undo(mona, act, at)
    do(mona, "mute", dora, length=DAY, at=at)
    do(mona, "mute", dora, length=DAY, at=at + timedelta(minutes=1))
    do(mona, "mark_cheat", dora, at=at)
    with expect_refusal("act.twice"):
        do(mona, "mark_cheat", dora, at=at)


def test_lower_role_cannot_undo_act_of_higher_role(
    mona: Account, dora: Account
) -> None:
    chief, helper = staff("Chief", "administrator"), staff("Hal", "helper")
    by_chief, by_mona = do(chief, "warn", dora), do(mona, "warn", dora)
    for by, act in ((mona, by_chief), (helper, by_mona)):
        with expect_refusal("act.rank", FORBIDDEN):
            undo(by, act)
    # A lower role can lift it by an appeal: there may be only one administrator.
    lifted(mona, by_chief)
    undo(chief, by_mona)


def test_moderator_cannot_uphold_their_own_report(mona: Account, dora: Account) -> None:
    helper = staff("Hal", "helper")
    case = report(helper, dora).case
    with expect_refusal("act.own_report", FORBIDDEN):
        do(helper, "close", case_id=case.id)
    do(mona, "close", case_id=case.id)


def test_second_moderator_with_shared_browser_is_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "ban", dora)
    for one in (mona, milo):
        browser_record(one.id, address="10.1.2.3", agent="Firefox", at=now())
    with expect_refusal("act.second_linked", FORBIDDEN):
        act_confirm(actor=actor(milo), act_id=act.id, at=now())
    act_confirm(actor=actor(staff("Nina")), act_id=act.id, at=now())


def test_lifted_act_on_another_target_needs_no_second_moderator(
    mona: Account, milo: Account, dora: Account
) -> None:
    race_id = create_race([dora, member("Emil")])
    first, second = (
        chat_send(account_id=dora.id, race_id=race_id, text=text, at=now())["number"]
        for text in ("so there", "and there")
    )
    lifted(milo, do(mona, "delete_text", target=f"{race_id}:{first}"))
    assert do(mona, "delete_text", target=f"{race_id}:{second}").state == "in_force"
    assert do(mona, "delete_text", target=f"{race_id}:{first}").state == "proposed"


def test_act_with_another_text_is_not_a_repetition(
    mona: Account, dora: Account
) -> None:
    at = now()
    do(mona, "warn", dora, at=at, text="Let others write.")
    do(mona, "warn", dora, at=at, text="No insults.")
    do(mona, "warn", dora, at=at, text="No insults.", reason="language")
    with expect_refusal("act.twice"):
        do(mona, "warn", dora, at=at, text="No insults.")


def test_moderator_can_dismiss_their_own_report(mona: Account, dora: Account) -> None:
    helper = staff("Hal", "helper")
    case = report(helper, dora).case
    assert do(helper, "dismiss", case_id=case.id).state == "in_force"
