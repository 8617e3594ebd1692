"""Settling dailies: verification, ranking, digest; boards that depend on it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import Model

from game.contest.digest import text_digest
from game.contest.ranking import daily_points
from game.models import (
    BoardBucket,
    BoardEntry,
    Daily,
    DailyDigest,
    Dungeon,
    EarnedBadge,
    Leaderboard,
    Move,
    PointsLine,
    Run,
    StreakRow,
)
from game.services.accounts.accounts import guest_create
from game.services.boards.leaderboards import boards_rebuild, daily_board_update
from game.services.core.errors import ServiceRefusal
from game.services.dailies.publish import daily_build, daily_find
from game.services.dailies.settle import dailies_settle, daily_resettle, daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, give_up, member

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


Rows = list[dict[str, Any]]


def rows_of(model: type[Model]) -> Rows:
    """All rows of a table, without their random ids."""
    found: Rows = list(model._default_manager.values())
    for row in found:
        row.pop("id", None)
    return found


def buckets() -> Rows:
    return sorted(({**r, "board_id": 0} for r in rows_of(BoardBucket)), key=str)


def views() -> list[Rows]:
    """All boards' rows, each with the name of its board instead of its id."""
    boards = {
        b.id: f"{b.key} {b.pool} {b.ruleset} {b.span}"
        for b in Leaderboard.objects.all()
    }
    named = []
    for model in (BoardEntry, BoardBucket, PointsLine, StreakRow):
        found = rows_of(model)
        for row in found:
            if "board_id" in row:
                row["board_id"] = boards[row["board_id"]]
        named.append(sorted(found, key=str))
    return named


def board(key: str, pool: str = "people", **more: str) -> list[tuple[str, int]]:
    entries = BoardEntry.objects.filter(board__key=key, board__pool=pool)
    for name, value in more.items():
        entries = entries.filter(**{f"board__{name}": value})
    ordered = entries.order_by("order", "ms", "id")
    return list(ordered.values_list("account__name", "number"))


def test_daily_is_settled_once(daily: Daily, played_daily: list[Run]) -> None:
    with pytest.raises(ServiceRefusal) as early:
        daily_settle(daily.id, at=SETTLES - timedelta(seconds=1))
    assert early.value.code == "daily.not_over"
    digest = daily_settle(daily.id, at=SETTLES)
    before = views()
    assert daily_settle(daily.id, at=SETTLES + timedelta(hours=1)) == digest
    assert dailies_settle(at=SETTLES + timedelta(hours=1)) == 0
    assert views() == before
    daily.refresh_from_db()
    assert daily.settled_at == SETTLES
    assert Dungeon.objects.get().revealed_at == SETTLES
    kept = DailyDigest.objects.get()
    assert kept.digest == digest == text_digest(kept.text)
    assert kept.text.count("\npeople ") == 7
    assert kept.text.count("\nbots ") == 2


def test_board_is_ordered_by_score_then_time(
    daily: Daily, played_daily: list[Run]
) -> None:
    daily_settle(daily.id, at=SETTLES)
    people = sorted(played_daily[:7], key=lambda r: (-(r.score or 0), r.finished_at))
    assert [name for name, _ in board("daily")] == [r.account.name for r in people]
    assert len(board("daily", "bots")) == 2
    first = people[0].account
    assert dict(board("week"))[first.name] == daily_points(6, 7) == 70
    assert dict(board("season"))[first.name] == 70
    assert dict(board("best"))[first.name] == people[0].score
    assert dict(board("streak"))[first.name] == 1
    earned = EarnedBadge.objects.filter(account=first).values_list("key", flat=True)
    assert {"first_daily", "first_place", "podium"} <= set(earned)


def test_unfinished_runs_expire_at_their_deadline(daily: Daily) -> None:
    slow = attempt(member(), chance=3, most=4)
    gone = attempt(member(), chance=3, most=1)
    give_up(gone, MORNING + timedelta(hours=1))
    daily_settle(daily.id, at=SETTLES + timedelta(hours=3))
    slow.refresh_from_db()
    assert (slow.status, slow.finished_at) == (
        "expired",
        datetime(2027, 3, 18, 0, 30, tzinfo=UTC),
    )
    assert slow.score is not None
    assert len(board("daily")) == 2


def test_run_that_its_moves_do_not_prove_is_left_out(
    daily: Daily, played_daily: list[Run]
) -> None:
    Move.objects.filter(run=played_daily[0]).order_by("-index")[:1].get().delete()
    Run.objects.filter(id=played_daily[1].id).update(score=29)
    daily_settle(daily.id, at=SETTLES)
    names = {name for name, _ in board("daily")}
    assert names == {run.account.name for run in played_daily[2:7]}
    assert Run.objects.get(id=played_daily[1].id).counted_at is None


def test_daily_without_attempts_is_settled(daily: Daily) -> None:
    assert dailies_settle(at=SETTLES) == 1
    assert "entries 0\n" in DailyDigest.objects.get().text


def test_daily_without_a_dungeon_is_settled_with_its_seal(daily: Daily) -> None:
    # Drawn ahead, then nothing ran for days.
    assert dailies_settle(at=SETTLES + timedelta(days=2)) == 3
    assert not Daily.objects.filter(settled_at__isnull=False, dungeon=None).exists()


def test_provisional_board_equals_the_settled_one(
    daily: Daily, played_daily: list[Run]
) -> None:
    assert daily_board_update(daily) == 9
    assert daily_board_update(daily) == 0
    before = board("daily"), buckets()
    late = attempt(member("Late"), chance=50, takes=timedelta(minutes=30))
    assert daily_board_update(daily) == 1
    assert len(board("daily")) == 8
    Run.objects.filter(id=late.id).update(voided_at=MORNING)
    daily_settle(daily.id, at=SETTLES)
    kept = [b for b in buckets() if b["n"]]
    daily_board = Leaderboard.objects.get(key="daily", pool="people")
    mine = BoardBucket.objects.filter(board=daily_board)
    assert board("daily") == before[0]
    assert sum(b.n for b in mine if b.slot == -1) == 7
    assert all(b["n"] > 0 for b in kept)


def test_resettling_writes_the_next_digest(
    daily: Daily, played_daily: list[Run]
) -> None:
    with pytest.raises(ServiceRefusal) as early:
        daily_resettle(daily.id, at=SETTLES, reason="cheating")
    assert early.value.code == "daily.not_settled"
    first = daily_settle(daily.id, at=SETTLES)
    leader = max(played_daily[:7], key=lambda run: run.score or -999)
    Run.objects.filter(id=leader.id).update(voided_at=SETTLES)
    second = daily_resettle(daily.id, at=SETTLES + timedelta(days=1), reason="bot")
    assert second != first
    chain = list(DailyDigest.objects.order_by("revision"))
    assert [d.revision for d in chain] == [1, 2]
    assert f"previous {first}\n" in chain[1].text
    for key in ("daily", "week", "season", "best", "streak"):
        assert leader.account.name not in dict(board(key)), key
        assert len(board(key)) == 6, key
    Run.objects.filter(id=leader.id).update(voided_at=None)
    third = daily_resettle(daily.id, at=SETTLES + timedelta(days=2), reason="undone")
    assert third not in (first, second)
    assert dict(board("best"))[leader.account.name] == leader.score


def test_rebuilt_boards_are_the_same(daily: Daily) -> None:
    people = [member(f"P{n}") for n in range(4)]
    bot = member("R", is_bot=True)
    for day in range(4):
        on, at = DAY + timedelta(days=day), MORNING + timedelta(days=day)
        found = daily_find(on=on, ruleset="tavern-1", at=at)
        for n, account in enumerate([*people[day % 2 :], bot]):
            attempt(account, chance=10 * day + n, on=on, at=at)
        assert daily_settle(found.id, at=SETTLES + timedelta(days=day))
    before = views()
    boards_rebuild()
    assert views() == before
    assert dict(board("streak")) == {"P0": 2, "P1": 4, "P2": 4, "P3": 4}


def test_oldest_daily_is_settled_first(daily: Daily) -> None:
    tomorrow = DAY + timedelta(days=1)
    daily_find(on=tomorrow, ruleset="tavern-1", at=MORNING + timedelta(days=1))
    assert dailies_settle(at=SETTLES + timedelta(days=1), limit=1) == 1
    assert list(Daily.objects.exclude(settled_at=None)) == [daily]


def test_resettling_keeps_the_time_at_which_a_run_was_counted(
    daily: Daily, played_daily: list[Run]
) -> None:
    daily_settle(daily.id, at=SETTLES)
    daily_resettle(daily.id, at=SETTLES + timedelta(days=1), reason="bot")
    assert set(Run.objects.values_list("counted_at", flat=True)) == {SETTLES}


def test_attempt_without_a_faced_card_counts_no_streak(daily: Daily) -> None:
    idle, eve = member("Idle"), member("Eve")
    give_up(attempt(idle, chance=1, most=0), MORNING + timedelta(hours=1))
    attempt(eve, chance=1)
    daily_settle(daily.id, at=SETTLES)
    assert dict(board("streak")) == {"Eve": 1}
    boards_rebuild()
    assert dict(board("streak")) == {"Eve": 1}


def test_badge_of_a_streak_needs_the_current_streak(daily: Daily) -> None:
    eve = member("Eve")
    StreakRow.objects.create(
        account=eve, last_on=DAY - timedelta(days=9), current=8, longest=8
    )
    attempt(eve, chance=1)
    daily_settle(daily.id, at=SETTLES)
    badges = EarnedBadge.objects.filter(account=eve).values_list("key", flat=True)
    assert "streak_7" not in badges
    assert "first_daily" in badges


def test_badge_of_a_hundred_dailies_counts_verified_ones_only(daily: Daily) -> None:
    eve = member("Eve")
    run = attempt(eve, chance=1)
    earlier = Daily.objects.bulk_create(
        daily_build(DAY - timedelta(days=n), "tavern-1", at=MORNING)
        for n in range(1, 100)
    )
    unverified = Run.objects.bulk_create(
        Run(
            account=eve,
            daily=one,
            dungeon=run.dungeon,
            kind=Run.Kind.DAILY,
            ruleset="tavern-1",
            difficulty="normal",
            status=Run.Status.DIED,
            snapshot="",
            health=0,
            score=-9,
            ranked=True,
            started_at=MORNING,
            moved_at=MORNING,
            finished_at=MORNING,
        )
        for one in earlier
    )
    assert len(unverified) == 99
    daily_settle(daily.id, at=SETTLES)
    assert not EarnedBadge.objects.filter(account=eve, key="dailies_100").exists()


def test_provisional_board_has_no_unranked_or_voided_runs(daily: Daily) -> None:
    attempt(guest_create(at=MORNING), chance=1)
    voided = attempt(member("Void"), chance=2)
    Run.objects.filter(id=voided.id).update(voided_at=MORNING)
    attempt(member("Eve"), chance=3)
    assert daily_board_update(daily) == 1
    assert [name for name, _ in board("daily")] == ["Eve"]


def test_provisional_board_adds_a_run_that_committed_late(daily: Daily) -> None:
    attempt(member("Eve"), chance=1, takes=timedelta(minutes=10))
    daily_board_update(daily)
    attempt(member("Late"), chance=2, takes=timedelta(minutes=9, seconds=30))
    assert daily_board_update(daily) == 1


def test_provisional_update_does_not_change_a_settled_board(daily: Daily) -> None:
    run = attempt(member("Eve"), chance=1)
    Run.objects.filter(id=run.id).update(voided_at=MORNING)
    daily_settle(daily.id, at=SETTLES)
    Run.objects.filter(id=run.id).update(voided_at=None)
    daily.refresh_from_db()
    assert daily_board_update(daily) == 0
    assert board("daily") == []


def test_rebuild_counts_verified_runs_only(daily: Daily) -> None:
    attempt(member("Eve"), chance=1)  # finished and ranked, but not settled yet
    boards_rebuild()
    assert board("best") == []
