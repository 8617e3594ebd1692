"""What one moderator does not do alone, twice, or over a higher one's head."""

from datetime import timedelta

import pytest

from game.models import Account, Act
from game.services.accounts.browsers import browser_record
from game.services.core.errors import Kind
from game.services.moderation.acts import act_confirm
from game.services.moderation.appeals import appeal_decide, appeal_make
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, report, staff, undo
from tests.fixtures.races import member, now, refused

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


def test_what_an_appeal_has_lifted_is_not_laid_again_alone(
    mona: Account, milo: Account, dora: Account
) -> None:
    lifted(milo, do(mona, "ban", dora, length=DAY))
    again = do(mona, "ban", dora, length=DAY)
    dora.refresh_from_db()
    assert (again.state, dora.banned_until) == ("proposed", None)
    with refused("act.second_same", FORBIDDEN):
        act_confirm(actor=actor(mona), act_id=again.id, at=now())
    assert act_confirm(actor=actor(milo), act_id=again.id, at=now()).second == milo
    # Another kind of act, or another moderator, has nothing to do with it.
    assert do(mona, "mute", dora, length=DAY).state == "in_force"
    assert do(staff("Nina"), "ban", dora, length=DAY).state == "in_force"


def test_who_agreed_to_what_was_lifted_does_not_lay_it_alone_either(
    mona: Account, milo: Account, dora: Account
) -> None:
    lifted(staff("Nina"), do_confirmed(mona, milo, "ban", dora))
    assert do(milo, "ban", dora, length=DAY).state == "proposed"


def test_a_button_pressed_twice_is_one_act(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    act = do(mona, "mute", dora, length=DAY, at=at)
    with refused("act.twice"):
        do(mona, "mute", dora, length=DAY, at=at + timedelta(seconds=59))
    do(mona, "mute", dora, length=2 * DAY, at=at)
    do(milo, "mute", dora, length=DAY, at=at)
    undo(mona, act, at)
    do(mona, "mute", dora, length=DAY, at=at)
    do(mona, "mute", dora, length=DAY, at=at + timedelta(minutes=1))
    do(mona, "mark_cheat", dora, at=at)
    with refused("act.twice"):
        do(mona, "mark_cheat", dora, at=at)


def test_a_higher_roles_act_is_not_taken_back(mona: Account, dora: Account) -> None:
    chief, helper = staff("Chief", "administrator"), staff("Hal", "helper")
    by_chief, by_mona = do(chief, "warn", dora), do(mona, "warn", dora)
    for by, act in ((mona, by_chief), (helper, by_mona)):
        with refused("act.rank", FORBIDDEN):
            undo(by, act)
    # An appeal is judged by whoever had no part in it, or one chief's acts would stand.
    lifted(mona, by_chief)
    undo(chief, by_mona)


def test_nobody_finds_himself_in_the_right(mona: Account, dora: Account) -> None:
    helper = staff("Hal", "helper")
    case = report(helper, dora).case
    with refused("act.own_report", FORBIDDEN):
        do(helper, "close", case_id=case.id)
    do(mona, "close", case_id=case.id)


def test_the_second_is_not_the_first_again(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "ban", dora)
    for one in (mona, milo):
        browser_record(one.id, address="10.1.2.3", agent="Firefox", at=now())
    with refused("act.second_linked", FORBIDDEN):
        act_confirm(actor=actor(milo), act_id=act.id, at=now())
    act_confirm(actor=actor(staff("Nina")), act_id=act.id, at=now())
