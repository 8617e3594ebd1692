"""Records of all time: best scores, fastest clearances, longest streaks."""

from datetime import timedelta

import pytest

from game.models import BoardEntry, Daily, Dungeon, Run
from game.services.boards.records import CountedRun, records_update, streaks_extend
from game.services.dailies.publish import daily_find
from game.services.dailies.settle import daily_settle
from game.services.runs.dungeons import dungeon_create
from game.services.runs.runs import run_create
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def entries(key: str) -> dict[str, int]:
    rows = BoardEntry.objects.filter(board__key=key)
    return dict(rows.values_list("account__name", "number"))


def two_runs() -> list[Run]:
    eve = member("Eve")
    dungeon = dungeon_create(
        ruleset="tavern-1", origin=Dungeon.Origin.PRACTICE, at=MORNING, seed="a"
    )
    runs = [
        run_create(
            account=eve,
            dungeon=dungeon,
            kind=Run.Kind.PRACTICE,
            difficulty="normal",
            at=MORNING,
        )
        for _ in range(2)
    ]
    return sorted(runs, key=lambda run: run.id)


def counted(run: Run, *, score: int = 20, elapsed_ms: int = 60_000) -> CountedRun:
    return CountedRun(
        run.id,
        run.account_id,
        "people",
        "tavern-1",
        "normal",
        score,
        score > 0,
        elapsed_ms,
    )


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_equal_runs_the_lower_id_is_the_record(
    order: tuple[int, int], at_once: bool
) -> None:
    runs = two_runs()
    ordered = [counted(runs[index]) for index in order]
    for part in [ordered] if at_once else [[one] for one in ordered]:
        records_update(part)
    found = BoardEntry.objects.get(board__key="best")
    assert found.run_id == runs[0].id


def test_worse_run_does_not_replace_a_record() -> None:
    first, second = two_runs()
    records_update([counted(first, score=20, elapsed_ms=60_000)])
    records_update([counted(second, score=19, elapsed_ms=70_000)])
    assert (entries("best"), entries("fastest")) == ({"Eve": 20}, {"Eve": 60_000})
    records_update([counted(second, score=19, elapsed_ms=50_000)])
    assert (entries("best"), entries("fastest")) == ({"Eve": 20}, {"Eve": 50_000})


def test_death_is_not_a_fastest_clearance() -> None:
    first, second = two_runs()
    records_update([counted(first, score=-50, elapsed_ms=1_000)])
    assert (entries("best"), entries("fastest")) == ({"Eve": -50}, {})
    records_update([counted(second, score=20, elapsed_ms=60_000)])
    assert entries("fastest") == {"Eve": 60_000}


def test_streak_board_shows_the_longest_streak(quick: None, one_ruleset: None) -> None:
    eve = member("Eve")
    for day in (0, 1, 2, 8):
        on, at = DAY + timedelta(days=day), MORNING + timedelta(days=day)
        daily: Daily = daily_find(on=on, ruleset="tavern-1", at=at)
        attempt(eve, chance=day, on=on, at=at)
        daily_settle(daily.id, at=SETTLES + timedelta(days=day))
    assert entries("streak") == {"Eve": 3}
    streaks = streaks_extend(DAY + timedelta(days=9), "people", [eve.id])
    assert (streaks[eve.id].current, streaks[eve.id].longest) == (2, 3)
