"""Brings boards up to date: the provisional one of a running daily, and all of them
anew from the record.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from game.contest.ranking import BoardPool, assign_ranks, daily_points, score_key
from game.models import (
    BoardEntry,
    Daily,
    Leaderboard,
    PointsLine,
    Race,
    Run,
    StreakRow,
)
from game.selectors.core.times import elapsed_ms
from game.services.boards.entries import Row, board_fill, board_of, board_put
from game.services.boards.points import (
    Points,
    board_pool_of,
    points_write,
    race_points_write,
)
from game.services.boards.records import (
    counted_of,
    counted_runs,
    ratings_note,
    records_note,
    streaks_recompute,
)

_CHUNK = 500
# Moves commit a little after the time they carry; so far back is looked again.
_COMMITS_WITHIN = timedelta(minutes=1)


def daily_board(daily: Daily, pool: str) -> Leaderboard:
    """The board of a daily."""
    return board_of(
        "daily",
        pool,
        ruleset=daily.ruleset,
        difficulty=daily.difficulty,
        span=daily.on.isoformat(),
    )


def daily_catch_up(daily: Daily) -> int:
    """Put runs that have ended since onto the provisional board; how many.

    Cheap when there are none. Settling writes the board anew from proved runs.
    """
    if daily.settled_at is not None:
        return 0
    mark = daily_board(daily, BoardPool.PEOPLE)
    ended = Run.objects.filter(
        daily=daily,
        kind=Run.Kind.DAILY,
        ranked=True,
        voided_at=None,
        finished_at__gt=(mark.noted_to or daily.opens_at) - _COMMITS_WITHIN,
    )
    entered = BoardEntry.objects.filter(run=OuterRef("pk"), board__key="daily")
    fresh = ended.filter(~Exists(entered)).order_by("finished_at")
    runs = list(fresh.select_related("account")[:_CHUNK])
    if not runs:
        return 0
    for pool in BoardPool:
        rows = [_row(run) for run in runs if board_pool_of(run.account) is pool]
        if rows:
            board_put(daily_board(daily, pool), rows)
    Leaderboard.objects.filter(id=mark.id).update(noted_to=runs[-1].finished_at)
    return len(runs)


@transaction.atomic
def boards_rebuild() -> dict[str, int]:
    """Make every board anew from counted runs, races and ratings; entries by board.

    Boards of dailies that are not settled are left to `daily_catch_up`. What was closed
    stays closed.
    """
    closed = {
        _kind(board): board.closed_at
        for board in Leaderboard.objects.exclude(closed_at=None)
    }
    Leaderboard.objects.all().delete()
    StreakRow.objects.all().delete()
    PointsLine.objects.all().delete()
    for daily in Daily.objects.exclude(settled_at=None).order_by("on", "ruleset"):
        _rebuild_daily(daily)
    rated = Race.objects.filter(rated=True, voided_at=None, settled_at__isnull=False)
    for race in rated.order_by("settled_at", "id"):
        race_points_write(race)
    runs = counted_runs().select_related("account").order_by("id")
    records_note(counted_of(run) for run in runs.iterator(_CHUNK))
    for pool in BoardPool:
        players = counted_runs().filter(
            kind=Run.Kind.DAILY, account__is_bot=pool is BoardPool.BOTS
        )
        accounts = players.order_by("account_id").values_list("account_id", flat=True)
        streaks_recompute(pool, list(accounts.distinct()))
    ratings_note(since=None)
    for board in Leaderboard.objects.all():
        board.closed_at = closed.get(_kind(board))
        board.save(update_fields=["closed_at"])
    return {
        str(board): board.entries.count()
        for board in Leaderboard.objects.order_by("id")
    }


def _kind(board: Leaderboard) -> tuple[str, ...]:
    return board.key, board.pool, board.ruleset, board.difficulty, board.span


def _rebuild_daily(daily: Daily) -> None:
    runs = counted_runs().filter(daily=daily, kind=Run.Kind.DAILY)
    points = []
    for pool in BoardPool:
        those = runs.filter(account__is_bot=pool is BoardPool.BOTS)
        rows = [_row(run) for run in those.order_by("id")]
        rows.sort(key=lambda row: (row.standing, row.run_id))
        board_fill(daily_board(daily, pool), rows)
        numbered = zip(assign_ranks(row.standing for row in rows), rows, strict=True)
        points += [
            Points(row.account_id, pool, daily_points(rank, len(rows)))
            for rank, row in numbered
        ]
    points_write(source=daily.id, ruleset=daily.ruleset, on=daily.on, points=points)


def _row(run: Run) -> Row:
    assert run.score is not None
    assert run.finished_at is not None
    cleared = run.status == Run.Status.CLEARED
    elapsed = elapsed_ms(run.started_at, run.finished_at)
    standing = score_key(run.score, elapsed, cleared=cleared)
    return Row(run.account_id, standing, run.score, run.id, cleared=cleared)
