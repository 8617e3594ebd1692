"""Void runs and dailies: boards and digests."""

import pytest

from game.models import Account, BoardEntry, Daily, DailyDigest, Run
from game.services.boards.leaderboards import daily_board_update
from game.services.core.errors import Kind
from game.services.dailies.settle import daily_settle
from game.services.maintenance.invariants import breaches
from game.services.moderation.acts import act_confirm
from tests.fixtures.accounts import person
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt
from tests.fixtures.moderation import actor, do, do_confirmed, undo
from tests.fixtures.races import expect_refusal, now

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled(daily: Daily, played_daily: list[Run]) -> Daily:
    daily_settle(daily.id, at=SETTLES)
    daily.refresh_from_db()
    return daily


def boards() -> set[tuple[str, str, int]]:
    rows = BoardEntry.objects.values_list("board__key", "account__name", "number")
    return set(rows)


def assert_invariants_hold() -> None:
    assert not [str(one) for one in breaches(at=SETTLES)]


def test_void_run_is_on_no_board_until_restored(
    mona: Account, settled: Daily, played_daily: list[Run]
) -> None:
    before, run = boards(), played_daily[0]
    act = do(mona, "void_run", target=run.id, at=SETTLES)
    assert act.subject_id == run.account_id
    assert not BoardEntry.objects.filter(account=run.account).exists()
    digests = list(DailyDigest.objects.order_by("revision"))
    assert [one.revision for one in digests] == [1, 2]
    assert digests[0].digest in digests[1].text
    assert digests[1].reason.startswith("void run:")
    assert_invariants_hold()
    with expect_refusal("act.already"):
        do(mona, "void_run", target=run.id, at=SETTLES)
    undo(mona, act, at=SETTLES)
    assert boards() == before
    assert DailyDigest.objects.count() == 3
    assert_invariants_hold()


def test_void_daily_is_on_no_board_until_restored(
    mona: Account, milo: Account, settled: Daily, played_daily: list[Run]
) -> None:
    before = boards()
    alone = do(mona, "void_run", target=played_daily[0].id, at=SETTLES)
    act = do_confirmed(mona, milo, "void_daily", target=settled.id, at=SETTLES)
    assert not BoardEntry.objects.filter(board__key="daily").exists()
    assert_invariants_hold()
    # The run that was voided by its own act stays void.
    undo(mona, act, at=SETTLES)
    voided = Run.objects.exclude(voided_at=None)
    assert list(voided) == [played_daily[0]]
    undo(mona, alone, at=SETTLES)
    assert boards() == before
    assert_invariants_hold()


def test_void_run_of_an_open_daily(mona: Account, daily: Daily) -> None:
    run = attempt(person("Una"), chance=1)
    daily_board_update(daily)
    assert BoardEntry.objects.count() == 1
    act = do(mona, "void_run", target=run.id, at=MORNING)
    assert not BoardEntry.objects.exists()
    daily_board_update(daily)
    assert not BoardEntry.objects.exists()
    undo(mona, act, at=MORNING)
    assert BoardEntry.objects.count() == 1


def test_unfinished_run_or_daily_cannot_be_voided(
    mona: Account, milo: Account, daily: Daily
) -> None:
    run = attempt(person("Una"), chance=1, most=1)
    with expect_refusal("act.run_playing"):
        do(mona, "void_run", target=run.id, at=MORNING)
    act = do(mona, "void_daily", target=daily.id, at=MORNING)
    with expect_refusal("daily.not_settled"):
        act_confirm(actor=actor(milo, MORNING), act_id=act.id, at=MORNING)


def test_unknown_run_cannot_be_voided(mona: Account, settled: Daily) -> None:
    assert settled.on == DAY
    with expect_refusal("run.not_found", Kind.NOT_FOUND):
        do(mona, "void_run", target="nothing", at=now())
