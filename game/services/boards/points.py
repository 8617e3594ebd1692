"""Points, and the boards that add them up: weeks and seasons.

A daily or a race writes its lines once (`points_write`); the boards are sums over the
lines of their span, made up to date for the accounts concerned.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Sum

from game.contest.calendar import (
    DateRange,
    daily_window,
    day_of,
    season_number,
    season_range,
    week_key,
    week_range,
)
from game.contest.ranking import BoardPool, carry_over, number_key, race_points
from game.models import (
    Account,
    BoardEntry,
    Daily,
    Entrant,
    Leaderboard,
    PointsLine,
    Race,
    Run,
)
from game.services.boards.entries import Row, board_drop, board_of, board_put
from game.services.boards.records import counted_of, records_note
from game.services.runs.verification import runs_proved

# How far back a race is looked for that nobody has noted yet.
_LOOK_BACK = timedelta(days=3)


class Points(NamedTuple):
    """What an account gets from one source."""

    account_id: str
    pool: str
    points: int


@transaction.atomic
def points_write(
    *, source: str, ruleset: str, on: date, points: Sequence[Points]
) -> None:
    """Make these the lines of a source, and bring its week and season up to date."""
    old = PointsLine.objects.filter(source=source)
    concerned = {*old.values_list("account_id", "pool")}
    concerned |= {(one.account_id, one.pool) for one in points}
    old.delete()
    PointsLine.objects.bulk_create(
        PointsLine(
            account_id=one.account_id,
            source=source,
            pool=one.pool,
            ruleset=ruleset,
            on=on,
            points=one.points,
        )
        for one in points
    )
    for pool in BoardPool:
        accounts = {account for account, which in concerned if which == pool}
        spans_refresh(ruleset=ruleset, pool=pool, on=on, accounts=accounts)


def spans_refresh(
    *, ruleset: str, pool: str, on: date, accounts: Collection[str]
) -> None:
    """Add up anew the week and season of a day, and what was carried on from it."""
    if not accounts:
        return
    week = board_of("week", pool, ruleset=ruleset, span=week_key(on))
    _refresh(week, week_range(week.span), accounts, {})
    number = season_number(on)
    season_refresh(ruleset, pool, number, accounts)
    later = Leaderboard.objects.filter(key="season", pool=pool, ruleset=ruleset)
    while later.filter(span=str(number + 1)).exists():
        number += 1
        season_refresh(ruleset, pool, number, accounts)


def season_refresh(
    ruleset: str, pool: str, number: int, accounts: Collection[str]
) -> None:
    """Add up a season for these accounts, with a part of the one before it."""
    before = BoardEntry.objects.filter(
        board__key="season",
        board__pool=pool,
        board__ruleset=ruleset,
        board__span=str(number - 1),
        account_id__in=accounts,
    )
    brought = {
        account: carry_over(points)
        for account, points in before.values_list("account_id", "number")
    }
    board = board_of("season", pool, ruleset=ruleset, span=str(number))
    _refresh(board, season_range(number), accounts, brought)


def _refresh(
    board: Leaderboard,
    span: DateRange,
    accounts: Collection[str],
    brought: dict[str, int],
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
    rows = []
    for account_id, points in sums:
        total = points + brought.get(account_id, 0)
        rows.append(Row(account_id, number_key(total), total))
    board_put(board, rows)
    board_drop(board, set(accounts) - {row.account_id for row in rows})


def spans_close(*, at: datetime) -> int:
    """Mark the weeks and seasons whose last daily is settled; how many."""
    closed = 0
    open_boards = Leaderboard.objects.filter(key__in=["week", "season"], closed_at=None)
    for board in open_boards:
        span = _span_of(board)
        last = daily_window(span.end - timedelta(days=1))
        unsettled = Daily.objects.filter(
            on__gte=span.first, on__lt=span.end, ruleset=board.ruleset, settled_at=None
        )
        if at >= last.settles_at and not unsettled.exists():
            board.closed_at = at
            board.save(update_fields=["closed_at"])
            closed += 1
    return closed


def _span_of(board: Leaderboard) -> DateRange:
    if board.key == "week":
        return week_range(board.span)
    return season_range(int(board.span))


def races_note(*, at: datetime) -> int:
    """Give the points of rated races that have been settled lately; how many races."""
    settled = Race.objects.filter(
        rated=True, voided_at=None, settled_at__gt=at - _LOOK_BACK
    )
    noted = PointsLine.objects.filter(on__gte=day_of(at - _LOOK_BACK * 2))
    due = settled.exclude(id__in=noted.values("source")).order_by("settled_at", "id")
    return sum(race_points_write(race) for race in due)


@transaction.atomic
def race_points_write(race: Race) -> int:
    """The points and records of one settled race; 1 where it gave any."""
    placed = _placed(race)
    if not placed or race.settled_at is None:
        return 0
    points = [
        Points(
            one.account_id,
            board_pool_of(one.account),
            race_points(one.place or len(placed), len(placed)),
        )
        for one in placed
    ]
    points_write(
        source=race.id, ruleset=race.ruleset, on=day_of(race.settled_at), points=points
    )
    runs = Run.objects.filter(entrant__in=[one.id for one in placed], voided_at=None)
    proved = [run for run, _ in runs_proved(runs)]
    Run.objects.filter(id__in=[run.id for run in proved], counted_at=None).update(
        ranked=True, counted_at=race.settled_at
    )
    records_note(counted_of(run) for run in proved)
    return 1


def _placed(race: Race) -> list[Entrant]:
    return list(
        Entrant.objects.filter(
            race=race, kind=Entrant.Kind.PLAYER, place__isnull=False, run__isnull=False
        )
        .select_related("account")
        .order_by("place", "id")
    )


def board_pool_of(account: Account) -> BoardPool:
    """Among whom an account is ranked."""
    return BoardPool.BOTS if account.is_bot else BoardPool.PEOPLE
