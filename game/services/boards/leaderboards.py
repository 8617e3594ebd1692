"""Updates the provisional board of an open daily, and rebuilds all boards."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from game.contest.calendar import day_of
from game.contest.ranking import BoardPool, DailyStanding, daily_awards, score_key
from game.models import (
    BoardEntry,
    Daily,
    Leaderboard,
    PointsLine,
    Run,
    StreakRow,
)
from game.selectors.boards.daily_links import daily_link_groups
from game.selectors.runs.runs import run_elapsed_ms
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_delete,
    entries_replace,
    entries_upsert,
)
from game.services.boards.points import Points, points_replace
from game.services.boards.race_points import (
    counted_races,
    day_points_update,
    race_count_runs,
)
from game.services.boards.records import (
    counted_run,
    counted_runs,
    rating_boards_update,
    records_update,
    run_board_pool,
    streaks_recompute,
)

_CHUNK = 500
# A move commits a little after its time, so look this much further back.
_COMMITS_WITHIN = timedelta(minutes=1)


def daily_board(daily: Daily, pool: str) -> Leaderboard:
    """The board of a daily in a pool, created if it does not exist."""
    return board_get_or_create(
        "daily",
        pool,
        ruleset=daily.ruleset,
        difficulty=daily.difficulty,
        span=daily.on.isoformat(),
    )


def daily_board_update(daily: Daily) -> int:
    """Add the runs that ended since the last update; return how many.

    Cheap if there are none. Settling replaces the board from verified runs.
    """
    if daily.settled_at is not None:
        return 0
    newest = daily_board(daily, BoardPool.PEOPLE)
    ended = Run.objects.filter(
        daily=daily,
        kind=Run.Kind.DAILY,
        ranked=True,
        voided_at=None,
        finished_at__gt=(newest.noted_to or daily.opens_at) - _COMMITS_WITHIN,
    )
    entered = BoardEntry.objects.filter(run=OuterRef("pk"), board__key="daily")
    fresh = ended.filter(~Exists(entered)).order_by("finished_at")
    runs = list(fresh.select_related("account")[:_CHUNK])
    if not runs:
        return 0
    for pool in BoardPool:
        entries = [_entry_of(run) for run in runs if run_board_pool(run) is pool]
        if entries:
            entries_upsert(daily_board(daily, pool), entries)
    Leaderboard.objects.filter(id=newest.id).update(noted_to=runs[-1].finished_at)
    return len(runs)


def daily_board_correct(daily: Daily, changed: Sequence[Run]) -> None:
    """Add runs that became ranked after they ended; remove those that are unranked, or
    that belong to the other pool now.
    """
    for pool in BoardPool:
        removed = [
            run.account_id
            for run in changed
            if not run.ranked or run_board_pool(run) is not pool
        ]
        added = [
            _entry_of(run)
            for run in changed
            if run_board_pool(run) is pool
            and run.ranked
            and run.finished_at is not None
            and run.voided_at is None
        ]
        if removed:
            entries_delete(daily_board(daily, pool), removed)
        if added:
            entries_upsert(daily_board(daily, pool), added)


@transaction.atomic
def boards_rebuild() -> dict[str, int]:
    """Rebuild every board from counted runs, races and ratings.

    Returns the number of entries by board. Boards of dailies that are not settled are
    left to `daily_board_update`. Closed boards stay closed.
    """
    closing_times = {
        _identity(board): board.closed_at
        for board in Leaderboard.objects.exclude(closed_at=None)
    }
    Leaderboard.objects.all().delete()
    StreakRow.objects.all().delete()
    PointsLine.objects.all().delete()
    for daily in Daily.objects.exclude(settled_at=None).order_by("on", "ruleset"):
        _rebuild_daily(daily)
    _rebuild_race_points()
    runs = counted_runs().select_related("account").order_by("id")
    records_update(counted_run(run) for run in runs.iterator(_CHUNK))
    for pool in BoardPool:
        players = counted_runs().filter(
            kind=Run.Kind.DAILY, account__is_bot=pool is BoardPool.BOTS
        )
        accounts = players.order_by("account_id").values_list("account_id", flat=True)
        streaks_recompute(pool, list(accounts.distinct()))
    rating_boards_update(since=None)
    for board in Leaderboard.objects.all():
        board.closed_at = closing_times.get(_identity(board))
        board.save(update_fields=["closed_at"])
    return {
        str(board): board.entries.count()
        for board in Leaderboard.objects.order_by("id")
    }


def _identity(board: Leaderboard) -> tuple[str, ...]:
    return board.key, board.pool, board.ruleset, board.difficulty, board.span


def _rebuild_daily(daily: Daily) -> None:
    runs = counted_runs().filter(daily=daily, kind=Run.Kind.DAILY)
    points: list[Points] = []
    for pool in BoardPool:
        pool_runs = runs.filter(by_program=pool is BoardPool.BOTS)
        counted = list(pool_runs.order_by("id"))
        played = {run.account_id: run.faced > 0 for run in counted}
        entries = [_entry_of(run) for run in counted]
        entries.sort(key=lambda entry: (entry.sort_key, entry.run_id))
        entries_replace(daily_board(daily, pool), entries)
        awards = daily_awards(
            [
                DailyStanding(
                    entry.sort_key, played[entry.account_id], entry.account_id
                )
                for entry in entries
            ],
            daily_link_groups(daily.id),
        )
        points += [
            Points(entry.account_id, pool, number)
            for entry, number in zip(entries, awards, strict=True)
        ]
    points_replace(source=daily.id, ruleset=daily.ruleset, on=daily.on, points=points)


def _rebuild_race_points() -> None:
    """Write the points of all counted races, and count their runs."""
    days: set[tuple[str, date]] = set()
    for race in counted_races().order_by("settled_at", "id").iterator(_CHUNK):
        assert race.settled_at is not None
        days.add((race.ruleset, day_of(race.settled_at)))
        race_count_runs(race)
    for ruleset, on in sorted(days):
        day_points_update(ruleset=ruleset, on=on)


def _entry_of(run: Run) -> Entry:
    assert run.score is not None
    is_cleared = run.status == Run.Status.CLEARED
    sort_key = score_key(run.score, run_elapsed_ms(run), is_cleared=is_cleared)
    return Entry(run.account_id, sort_key, run.score, run.id, cleared=is_cleared)
