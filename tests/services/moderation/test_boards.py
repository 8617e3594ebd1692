"""Boards after moderation: cheat marks, void runs, void races, disqualifications."""

import pytest

from game.models import Account, BoardEntry, Race, Rating, Run
from game.services.boards.leaderboards import boards_rebuild
from game.services.boards.race_points import races_award_points
from game.services.boards.records import rating_boards_update
from game.services.maintenance.invariants import breaches
from tests.fixtures.moderation import do, do_confirmed, undo
from tests.fixtures.races import member, now
from tests.services.moderation.test_races import finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


def on_board(key: str) -> list[str]:
    rows = BoardEntry.objects.filter(board__key=key).order_by("account__name")
    return list(rows.values_list("account__name", flat=True))


def test_cheat_mark_removes_account_from_rating_boards(
    mona: Account, milo: Account, dora: Account
) -> None:
    Rating.objects.create(
        account=dora,
        ruleset="tavern-1",
        pool="live",
        rating=1700,
        deviation=60,
        volatility=0.06,
        races=20,
        changed_at=now(),
    )
    rating_boards_update(since=None)
    assert on_board("rating") == ["Dora"]
    act = do_confirmed(mona, milo, "mark_cheat", dora)
    rating_boards_update(since=now())
    assert on_board("rating") == []
    undo(mona, act)
    rating_boards_update(since=now())
    assert on_board("rating") == ["Dora"]


def test_void_run_is_removed_from_the_best_board(mona: Account, dora: Account) -> None:
    emil = member("Emil")
    race_id = finished(dora, emil)
    races_award_points(at=now())
    before = on_board("best")
    assert "Dora" in before
    run = Run.objects.get(race_id=race_id, account=dora)
    act = do(mona, "void_run", target=run.id)
    assert "Dora" not in on_board("best")
    # Voiding a run does not void its race.
    assert Race.objects.get(id=race_id).voided_at is None
    assert not [str(one) for one in breaches(at=now())]
    undo(mona, act)
    assert on_board("best") == before


def test_rebuilt_boards_equal_the_updated_ones(mona: Account, dora: Account) -> None:
    emil = member("Emil")
    kept, void, changed = (finished(dora, emil) for _ in range(3))
    races_award_points(at=now())
    do(mona, "void_race", target=void)
    do(mona, "disqualify", dora, target=changed)
    do(mona, "void_run", target=Run.objects.get(race_id=kept, account=emil).id)

    def entries() -> list[tuple[str, str, int]]:
        rows = BoardEntry.objects.exclude(board__key="rating")
        return sorted(rows.values_list("board__key", "account__name", "number"))

    before = entries()
    assert before
    boards_rebuild()
    assert entries() == before
