"""Concurrent moderators on PostgreSQL."""

from typing import Any

import pytest

from game.models import Account, Act, AuditEntry, Case, Daily, Rating, Report
from game.services.dailies.settle import daily_settle
from game.services.moderation.acts import act_confirm, act_undo
from game.services.moderation.appeals import appeal_decide, appeal_make
from game.services.moderation.audit import audit_breaks
from game.services.races.chat import chat_send
from tests.fixtures.dailies import SETTLES
from tests.fixtures.moderation import DAY, actor, do, report, staff
from tests.fixtures.races import create_race, member, now
from tests.fixtures.threads import at_once
from tests.services.moderation.test_races import finished
from tests.services.races.test_concurrency import assert_invariants_hold

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 6


@pytest.fixture
def moderators(transactional_db: None) -> list[Account]:
    """As many moderators as there are threads."""
    return [staff(f"Moderator {n}") for n in range(MANY)]


def count(answers: list[Any], kind: type) -> int:
    return sum(isinstance(one, kind) for one in answers)


def test_concurrent_acts_leave_no_gap_in_the_log(moderators: list[Account]) -> None:
    people = [member(f"Player {n}") for n in range(MANY)]
    pairs = zip(moderators, people, strict=True)
    works = [lambda by=by, who=who: do(by, "warn", who) for by, who in pairs]
    assert count(at_once(*works), Act) == MANY
    numbers = AuditEntry.objects.order_by("number").values_list("number", flat=True)
    # Each moderator's role has an entry too.
    assert list(numbers) == list(range(1, 2 * MANY + 1))
    assert not list(audit_breaks())


def test_concurrent_confirmations_and_decisions_succeed_once(
    moderators: list[Account],
) -> None:
    dora = member("Dora")
    proposed = do(moderators[0], "ban", dora)
    answers = at_once(
        *(
            lambda by=by: act_confirm(actor=actor(by), act_id=proposed.id, at=now())
            for by in moderators[1:]
        )
    )
    assert count(answers, Act) == 1
    assert answers.count("act.not_proposed") == MANY - 2
    act = Act.objects.get(id=proposed.id)
    appeals = at_once(
        *(
            lambda: appeal_make(
                account_id=dora.id, act_id=act.id, text="Why?", at=now()
            )
            for _ in range(3)
        )
    )
    assert appeals.count("appeal.once") == 2
    others = [one for one in moderators if one.id not in (act.by_id, act.second_id)]
    decided = at_once(
        *(
            lambda by=by: appeal_decide(
                actor=actor(by),
                appeal_id=act.appeal.id,
                outcome="lifted",
                answer="",
                at=now(),
            )
            for by in others
        )
    )
    assert decided.count("appeal.decided") == len(others) - 1
    assert_invariants_hold()


def test_concurrent_undo_succeeds_once(moderators: list[Account]) -> None:
    act = do(moderators[0], "mute", member("Dora"), length=DAY)
    answers = at_once(
        *(
            lambda by=by: act_undo(
                actor=actor(by), act_id=act.id, reason="other", at=now()
            )
            for by in moderators
        )
    )
    assert count(answers, Act) == 1
    assert Act.objects.count() == 2
    assert_invariants_hold()


def test_concurrent_reports_join_one_case(moderators: list[Account]) -> None:
    emil = member("Emil")
    reporters = [member(f"Player {n}") for n in range(MANY)]
    answers = at_once(
        *(lambda one=one: report(one, emil) for one in reporters),
        *(lambda one=one: report(one, emil) for one in reporters[:2]),
    )
    assert count(answers, Report) == MANY
    case = Case.objects.get()
    assert (case.reports.count(), case.weight) == (MANY, MANY)
    assert answers.count("report.already") == 2


def test_concurrent_acts_on_one_race(moderators: list[Account]) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = finished(dora, emil)
    talk = create_race([dora, emil])
    answers = at_once(
        lambda: do(moderators[0], "disqualify", dora, target=race_id),
        lambda: do(moderators[1], "void_race", target=race_id),
        lambda: do(moderators[2], "disqualify", emil, target=race_id),
        lambda: do(moderators[3], "void_race", target=race_id),
        lambda: [
            chat_send(account_id=dora.id, race_id=talk, text=f"line {n}", at=now())
            for n in range(3)
        ],
        lambda: do(moderators[4], "warn", dora),
    )
    # Acts after the voiding are refused.
    assert count(answers, Act) >= 2
    assert {one for one in answers if isinstance(one, str)} <= {
        "act.race_phase",
        "act.already",
    }
    assert {row.rating for row in Rating.objects.all()} == {1500.0}
    assert_invariants_hold()


@pytest.mark.parametrize("kind", ["void_daily", "bridge_day"])
def test_concurrent_proposals_about_a_daily_leave_one(
    moderators: list[Account], daily: Daily, kind: str
) -> None:
    daily_settle(daily.id, at=SETTLES)
    answers = at_once(
        *(
            lambda by=by: do(by, kind, target=daily.id, at=SETTLES)
            for by in moderators[:4]
        )
    )
    assert count(answers, Act) == Act.objects.count() == 1
    assert set(answers) - set(Act.objects.all()) <= {"act.proposed", "act.already"}
    act = Act.objects.get()
    if act.state == "proposed":
        confirmations = at_once(
            *(
                lambda by=by: act_confirm(
                    actor=actor(by, SETTLES), act_id=act.id, at=SETTLES
                )
                for by in moderators
            )
        )
        assert count(confirmations, Act) == 1
    assert Act.objects.get().state == "in_force"
    assert not list(audit_breaks())
