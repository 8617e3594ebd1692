"""Points, and the week and season boards that add them up.

A daily writes its points lines with `points_replace`, races with
`race_points.day_points_update`. The boards are sums over the lines of their span,
updated for the accounts whose lines changed.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Sum

from game.contest.calendar import (
    DateRange,
    daily_window,
    season_number,
    season_range,
    week_key,
    week_range,
)
from game.contest.ranking import BoardPool, carry_over, number_key
from game.models import (
    Account,
    BoardEntry,
    Daily,
    Leaderboard,
    PointsLine,
)
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_delete,
    entries_upsert,
)
from game.services.boards.records import chunked

_CHUNK = 500


class Points(NamedTuple):
    """The points of an account from one daily or race."""

    account_id: str
    pool: str
    points: int


@transaction.atomic
def points_replace(
    *, source: str, ruleset: str, on: date, points: Sequence[Points]
) -> None:
    """Replace the points lines of a daily, and update its week and season boards.

    `source` is the daily's id.
    """
    point_boards_lock(ruleset=ruleset, on=on)
    lines = [
        PointsLine(
            account_id=award.account_id,
            source=source,
            pool=award.pool,
            ruleset=ruleset,
            on=on,
            points=award.points,
        )
        for award in points
    ]
    old = list(PointsLine.objects.filter(source=source))
    points_lines_replace(old, lines, ruleset=ruleset, on=on)


def point_boards_lock(*, ruleset: str, on: date) -> None:
    """Lock the season boards of a ruleset, at least that of people on that day.

    Writers of points lines lock them before they read any line: otherwise two writers
    would each add up the lines without the other's.
    """
    number = str(season_number(on))
    board_get_or_create("season", BoardPool.PEOPLE, ruleset=ruleset, span=number)
    boards = Leaderboard.objects.filter(key="season", ruleset=ruleset)
    list(boards.order_by("id").select_for_update().values_list("id"))


def points_lines_replace(
    old: Sequence[PointsLine], new: Sequence[PointsLine], *, ruleset: str, on: date
) -> None:
    """Delete and insert lines of one day, and update the boards of their accounts.

    The caller holds `point_boards_lock`.
    """
    changed = {(line.account_id, line.pool) for line in (*old, *new)}
    for part in chunked(old, _CHUNK):
        PointsLine.objects.filter(id__in=[line.pk for line in part]).delete()
    PointsLine.objects.bulk_create(new, batch_size=_CHUNK)
    for pool in BoardPool:
        accounts = {account for account, which in changed if which == pool}
        point_boards_update_board(ruleset=ruleset, pool=pool, on=on, accounts=accounts)


def point_boards_update_board(
    *, ruleset: str, pool: str, on: date, accounts: Collection[str]
) -> None:
    """Update the week and season boards of a day, and the seasons after it."""
    if not accounts:
        return
    week = board_get_or_create("week", pool, ruleset=ruleset, span=week_key(on))
    _update_board(week, week_range(week.span), accounts, {})
    number = season_number(on)
    season_board_update_board(ruleset, pool, number, accounts)
    later = Leaderboard.objects.filter(key="season", pool=pool, ruleset=ruleset)
    while later.filter(span=str(number + 1)).exists():
        number += 1
        season_board_update_board(ruleset, pool, number, accounts)


def season_board_update_board(
    ruleset: str, pool: str, number: int, accounts: Collection[str]
) -> None:
    """Update a season board for these accounts, including points carried over."""
    before = BoardEntry.objects.filter(
        board__key="season",
        board__pool=pool,
        board__ruleset=ruleset,
        board__span=str(number - 1),
        account_id__in=accounts,
    )
    carried = {
        account: carry_over(points)
        for account, points in before.values_list("account_id", "number")
    }
    board = board_get_or_create("season", pool, ruleset=ruleset, span=str(number))
    _update_board(board, season_range(number), accounts, carried)


def _update_board(
    board: Leaderboard,
    span: DateRange,
    accounts: Collection[str],
    carried: dict[str, int],
) -> None:
    sums = (
        PointsLine.objects.filter(
            ruleset=board.ruleset,
            pool=board.pool,
            on__gte=span.first,
            on__lt=span.end,
            account_id__in=accounts,
        )
        .values_list("account_id")
        .annotate(points=Sum("points"))
        .order_by("account_id")
    )
    entries = []
    for account_id, points in sums:
        total = points + carried.get(account_id, 0)
        entries.append(Entry(account_id, number_key(total), total))
    entries_upsert(board, entries)
    entries_delete(board, set(accounts) - {entry.account_id for entry in entries})


def point_boards_close(*, at: datetime) -> int:
    """Close the week and season boards whose dailies are all settled; how many."""
    count = 0
    open_boards = Leaderboard.objects.filter(key__in=["week", "season"], closed_at=None)
    for board in open_boards:
        span = _range_of(board)
        last = daily_window(span.end - timedelta(days=1))
        unsettled = Daily.objects.filter(
            on__gte=span.first, on__lt=span.end, ruleset=board.ruleset, settled_at=None
        )
        if at >= last.settles_at and not unsettled.exists():
            board.closed_at = at
            board.save(update_fields=["closed_at"])
            count += 1
    return count


def _range_of(board: Leaderboard) -> DateRange:
    if board.key == "week":
        return week_range(board.span)
    return season_range(int(board.span))


def board_pool_of(account: Account) -> BoardPool:
    """Among whom an account is ranked, if it plays all its moves itself.

    A run's own pool is `run_board_pool`.
    """
    return BoardPool.BOTS if account.is_bot else BoardPool.PEOPLE
