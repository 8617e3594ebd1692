"""Screening: accounts, runs and flags."""

from datetime import timedelta

import pytest

from game.analysis.screening import SCREENING_VERSION, RoomLuck, Signal
from game.contest.moderation.reasons import CaseKind
from game.contest.ranking import BOARDS, SortKey
from game.models import (
    Account,
    Case,
    Daily,
    Flag,
    Leaderboard,
    Run,
    Screening,
    Study,
)
from game.services.boards.entries import Entry, board_get_or_create, entries_upsert
from game.services.core.flags import case_open_or_extend
from game.services.dailies.settle import daily_settle
from game.services.moderation import screenings
from game.services.moderation.screenings import (
    account_check_screenings,
    account_screening_summary,
    accounts_to_screen,
    run_screen,
    runs_to_screen,
    screening_next,
)
from game.tasks.moderation import screen_run as screen_task
from tests.fixtures.accounts import person
from tests.fixtures.dailies import SETTLES, attempt

pytestmark = pytest.mark.django_db
LATER = SETTLES + timedelta(hours=1)


@pytest.fixture
def settled(daily: Daily, played_daily: list[Run]) -> list[Run]:
    daily_settle(daily.id, at=SETTLES)
    return played_daily


def lucky(monkeypatch: pytest.MonkeyPatch, rank: float) -> None:
    """Make every screened run as lucky as `rank` in twelve rooms."""
    rooms = tuple(RoomLuck(n, rank, 0.08) for n in range(12))
    signal = Signal(SCREENING_VERSION, rooms)
    monkeypatch.setattr(screenings, "screen", lambda *_: signal)


@pytest.fixture
def only_daily(settled: list[Run]) -> None:
    """Leave the board of the daily alone, so that three accounts are at the top."""
    Leaderboard.objects.exclude(key="daily").delete()


def test_open_cases_are_screened(settled: list[Run]) -> None:
    last = person("Late")
    case_open_or_extend(subject_id=last.id, kind=CaseKind.CHEATING, weight=1, at=LATER)
    assert last.id in accounts_to_screen(at=LATER)
    Case.objects.update(closed_at=LATER, outcome="dismissed")
    assert last.id not in accounts_to_screen(at=LATER)
    bots = Account.objects.filter(is_bot=True).values_list("id", flat=True)
    assert not accounts_to_screen(at=LATER) & set(bots)


@pytest.mark.parametrize("key", list(BOARDS))
def test_first_three_of_every_board_are_screened(key: str) -> None:
    people = [person(f"P{n}") for n in range(5)]
    entries = [
        Entry(one.id, SortKey(order, 0), order)
        for one, order in zip(people, (7, 1, 9, 3, 5), strict=True)
    ]
    board = board_get_or_create(key, "people", ruleset="tavern-1")
    entries_upsert(board, entries)
    top = {people[1].id, people[3].id, people[4].id}
    assert accounts_to_screen(at=LATER) == top
    Leaderboard.objects.update(closed_at=LATER)
    assert accounts_to_screen(at=LATER + timedelta(days=6)) == top
    assert accounts_to_screen(at=LATER + timedelta(days=8)) == set()
    Leaderboard.objects.update(closed_at=None, pool="bots")
    assert accounts_to_screen(at=LATER) == set()


def test_only_runs_with_revealed_dungeons_are_screened(daily: Daily) -> None:
    run = attempt(person("Una"), chance=1)
    assert not runs_to_screen([run.account_id], at=LATER).exists()
    daily_settle(daily.id, at=SETTLES)
    assert runs_to_screen([run.account_id], at=LATER).get() == run
    old = LATER + timedelta(days=61)
    assert not runs_to_screen([run.account_id], at=old).exists()


def test_run_is_screened_once(
    only_daily: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lucky(monkeypatch, 0.0)
    seen = set()
    while (run := screening_next(at=LATER)) is not None:
        assert not run_screen(run, at=LATER).needs_review
        seen.add(run.id)
    assert len(seen) == Screening.objects.count() == 3
    assert not Flag.objects.exists()


def test_unlikely_luck_over_several_runs_is_flagged(
    settled: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    lucky(monkeypatch, 0.4)
    una = settled[0].account
    for run in settled[:3]:
        run_screen(run, at=LATER)
    assert not Flag.objects.exists()  # one run for each account is not enough
    # Treat the three runs as runs of one account.
    monkeypatch.setattr(
        screenings,
        "runs_to_screen",
        lambda _, **__: Run.objects.filter(id__in=[r.id for r in settled[:3]]),
    )
    found = account_check_screenings(una.id, at=LATER)
    assert found.needs_review
    flag = Flag.objects.get()
    assert (flag.subject, flag.case.kind, flag.evidence["runs"]) == (
        *(una, "cheating"),
        3,
    )
    assert account_check_screenings(una.id, at=LATER).needs_review
    assert Flag.objects.count() == 1
    assert account_screening_summary(una.id, at=LATER).rooms == 36


def test_screening_of_a_real_run_is_stored(settled: list[Run]) -> None:
    run = Run.objects.select_related("dungeon").get(id=settled[0].id)
    run_screen(run, at=LATER)
    kept = Screening.objects.get(run=run)
    assert kept.version == SCREENING_VERSION
    assert all(len(room) == 3 for room in kept.rooms)


def test_screening_waits_while_reviews_are_requested(
    only_daily: None, settled: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    lucky(monkeypatch, 0.0)
    monkeypatch.setattr("game.tasks.moderation.timezone.now", lambda: LATER)
    Study.objects.create(run=settled[0], kind="review", version="x", asked_at=LATER)
    assert screen_task() == 0
    Study.objects.all().delete()
    assert [screen_task() for _ in range(4)] == [1, 1, 1, 0]
