"""verify_invariants finds each breach in dailies, and none in valid data."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from game.models import BoardBucket, BoardEntry, Daily, DailyDigest, Dungeon, Move, Run
from game.rules import seal_of
from game.services.dailies.settle import daily_settle
from game.services.maintenance.invariants import breaches
from game.services.runs.dungeons import seed_encrypt
from tests.fixtures.dailies import SETTLES
from tests.fixtures.moderation import do, staff

pytestmark = pytest.mark.django_db
LATER = SETTLES + timedelta(minutes=1)


def broken_invariants() -> set[str]:
    return {breach.invariant for breach in breaches(at=LATER)}


def test_no_breach_in_valid_data(daily: Daily, played_daily: list[Run]) -> None:
    assert broken_invariants() == set()
    daily_settle(daily.id, at=SETTLES)
    assert broken_invariants() == set()
    do(staff("Mona"), "void_run", target=played_daily[0].id, at=LATER)
    assert broken_invariants() == set()


def _digest_changed() -> None:
    DailyDigest.objects.update(text="scoundrel-digest-1\n")


def _board_changed() -> None:
    entry = BoardEntry.objects.filter(board__key="daily")[0]
    BoardEntry.objects.filter(id=entry.id).update(ms=entry.ms + 1)


def _move_changed() -> None:
    move = Move.objects.order_by("id")[0]
    Move.objects.filter(id=move.id).update(
        code="avoid" if move.code != "avoid" else "2D"
    )


def _digest_gone() -> None:
    DailyDigest.objects.all().delete()


def _bucket_changed() -> None:
    BoardBucket.objects.filter(board__key="week")[:1].get().delete()


def _ranked_with_a_reason() -> None:
    run = Run.objects.filter(ranked=True).order_by("id")[0]
    Run.objects.filter(id=run.id).update(unranked="guest")


def _started_late() -> None:
    run = Run.objects.order_by("id")[0]
    Run.objects.filter(id=run.id).update(started_at=SETTLES - timedelta(minutes=30))


def _other_master() -> None:
    daily = Daily.objects.exclude(dungeon=None).get()
    sealed = seed_encrypt("ff" * 32, daily.id)
    Daily.objects.filter(id=daily.id).update(master_sealed=sealed)


def _other_dungeon() -> None:
    dungeon = Dungeon.objects.get()
    dungeon.seed_sealed = seed_encrypt("a", dungeon.id)
    dungeon.seal = seal_of("a")
    dungeon.save()


def _unrevealed() -> None:
    Dungeon.objects.update(revealed_at=None)


@pytest.mark.parametrize(
    ("breaking", "invariant"),
    [
        (_digest_changed, "I8"),
        (_board_changed, "I8"),
        (_move_changed, "I8"),
        (_digest_gone, "I8"),
        (_bucket_changed, "I9"),
        (_started_late, "I5"),
        (_ranked_with_a_reason, "I5"),
        (_other_master, "I10"),
        (_other_dungeon, "I10"),
        (_unrevealed, "I10"),
    ],
)
def test_each_breach_is_found(
    daily: Daily, played_daily: list[Run], breaking: Callable[[], None], invariant: str
) -> None:
    daily_settle(daily.id, at=SETTLES)
    breaking()
    assert invariant in broken_invariants()


def test_overdue_board_is_a_breach(daily: Daily) -> None:
    late = SETTLES + timedelta(minutes=11)
    assert {breach.invariant for breach in breaches(at=late)} == {"I13"}
