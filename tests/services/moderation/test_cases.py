"""Cases: opened by reports and flags, closed and reopened; weights of reporters."""

from datetime import timedelta
from typing import Any

import pytest

from game.contest.moderation.reasons import FlagKind
from game.models import Account, Case, ChatMessage, Flag, Report
from game.selectors.moderation.cases import case_show, cases_open
from game.selectors.races.chat import race_chat
from game.selectors.races.snapshots import Viewer
from game.services.core.errors import Kind
from game.services.core.flags import flag_raise
from game.services.moderation.reports import (
    TEXT_KEPT_FOR,
    report_weight,
    reports_prune,
)
from game.services.races.chat import chat_send
from tests.fixtures.moderation import do, report, undo
from tests.fixtures.races import (
    create_race,
    expect_refusal,
    member,
    now,
    read_events,
    read_race,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


@pytest.fixture
def emil(db: None) -> Account:
    return member("Emil")


def test_dismissed_report_lowers_weight_of_reporter(
    mona: Account, dora: Account, emil: Account
) -> None:
    case = report(dora, emil).case
    act = do(mona, "dismiss", case_id=case.id, reason="no_ground")
    case.refresh_from_db()
    assert (case.outcome, act.subject) == ("dismissed", emil)
    assert report_weight(dora, at=now()) == pytest.approx(2 / 3)
    with expect_refusal("case.closed"):
        do(mona, "close", case_id=case.id)
    undo(mona, act)
    case.refresh_from_db()
    assert (case.outcome, report_weight(dora, at=now())) == ("", 1.0)
    do(mona, "close", case_id=case.id)
    assert report_weight(dora, at=now()) == pytest.approx(4 / 3)


def test_report_after_closing_opens_a_new_case(
    mona: Account, dora: Account, emil: Account
) -> None:
    case = report(dora, emil).case
    act = do(mona, "dismiss", case_id=case.id)
    again = report(dora, emil).case
    assert again != case
    with expect_refusal("case.opened_since"):
        undo(mona, act)
    act.refresh_from_db()
    assert act.state == "in_force"


def test_flags_and_reports_join_one_case(dora: Account, emil: Account) -> None:
    case = report(dora, emil).case
    at = now()

    def raise_it(key: str) -> bool:
        return flag_raise(
            subject_id=emil.id,
            kind=FlagKind.ORDER_KNOWN,
            evidence={"deviations": 4.2},
            key=key,
            at=at,
        )

    assert raise_it("1")
    assert not raise_it("1")
    assert raise_it("2")
    assert Case.objects.count() == 1
    case.refresh_from_db()
    assert case.weight == pytest.approx(1.0 + 2 * 3.0)
    shown: Any = cases_open().get()
    assert (shown.reports_n, shown.flags_n) == (1, 2)
    assert case_show(case)["flags"][0]["evidence"] == {"deviations": 4.2}
    # A flag causes no act.
    assert not emil.acts.exists()


def test_same_flag_is_not_raised_again_after_closing(
    mona: Account, emil: Account
) -> None:
    what = {"subject_id": emil.id, "kind": "too_fast", "evidence": {}, "key": "r"}
    assert flag_raise(**what, at=now())
    do(mona, "dismiss", case_id=Case.objects.get().id)
    assert not flag_raise(**what, at=now())
    assert Flag.objects.count() == 1


def test_chat_line_is_deleted_and_restored(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = create_race([dora, emil])
    said = chat_send(account_id=dora.id, race_id=race_id, text="so there", at=now())
    target = f"{race_id}:{said['number']}"
    act = do(mona, "delete_text", target=target, reason="language")
    assert act.subject == dora
    assert race_chat(race_id, Viewer(emil.id), 0, now()) == []
    with expect_refusal("act.already"):
        do(mona, "delete_text", target=target)
    undo(mona, act)
    assert len(race_chat(race_id, Viewer(emil.id), 0, now())) == 1
    assert ChatMessage.objects.get().deleted_at is None


def test_act_in_a_case_on_another_account_is_refused(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = create_race([dora, emil])
    said = chat_send(account_id=dora.id, race_id=race_id, text="so there", at=now())
    target = f"{race_id}:{said['number']}"
    for place in ("profile", "name"):
        with expect_refusal("report.target_unwanted", Kind.MALFORMED):
            report(dora, emil, place=place, target=target)
    case = report(dora, emil).case
    with expect_refusal("act.other_subject"):
        do(mona, "delete_text", target=target, case_id=case.id)
    do(mona, "delete_text", target=target)


def test_report_texts_are_deleted_after_a_year(
    mona: Account, dora: Account, emil: Account
) -> None:
    made = report(dora, emil, text="They knew.")
    at = now()
    assert reports_prune(at=at + TEXT_KEPT_FOR) == 0
    do(mona, "close", case_id=made.case_id, at=at)
    assert reports_prune(at=at + TEXT_KEPT_FOR - timedelta(seconds=1)) == 0
    assert reports_prune(at=at + TEXT_KEPT_FOR) == 1
    kept = Report.objects.get()
    assert (kept.text, kept.seen, kept.outcome) == ("", "", "upheld")
    assert reports_prune(at=at + TEXT_KEPT_FOR) == 0


def test_too_long_report_is_refused(dora: Account, emil: Account) -> None:
    with expect_refusal("report.too_long", Kind.MALFORMED):
        report(dora, emil, text="x" * 501)


def test_deleted_chat_line_sends_an_event(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = create_race([dora, emil])
    said = chat_send(account_id=dora.id, race_id=race_id, text="so there", at=now())
    before = read_race(race_id)["seq"]
    do(mona, "delete_text", target=f"{race_id}:{said['number']}")
    [event] = read_events(race_id, emil, before)
    assert (event["kind"], event["number"]) == ("unsaid", said["number"])


def test_open_cases_are_sorted_by_weight(
    mona: Account, dora: Account, emil: Account
) -> None:
    light = report(dora, emil, "name").case
    heavy = report(dora, emil, "cheating").case
    report(member("Fay"), emil, "cheating")
    closed = report(dora, emil, "stalling").case
    do(mona, "dismiss", case_id=closed.id)
    assert list(cases_open()) == [heavy, light]
    assert list(cases_open("name")) == [light]
