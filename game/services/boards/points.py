"""Points, and the week and season boards that add them up.

A daily or a race writes its points lines once (`points_replace`). The boards are sums
over the lines of their span, updated for the accounts whose lines changed.
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
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_delete,
    entries_upsert,
)
from game.services.boards.records import as_counted, records_update, run_board_pool
from game.services.runs.verification import runs_verified

# How far back to look for settled races without points.
_LOOK_BACK = timedelta(days=3)


class Points(NamedTuple):
    """The points of an account from one daily or race."""

    account_id: str
    pool: str
    points: int


@transaction.atomic
def points_replace(
    *, source: str, ruleset: str, on: date, points: Sequence[Points]
) -> None:
    """Replace the points lines of a source, and update its week and season boards.

    `source` is the id of a daily or a race.
    """
    old = PointsLine.objects.filter(source=source)
    changed = {*old.values_list("account_id", "pool")}
    changed |= {(one.account_id, one.pool) for one in points}
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
    closed = 0
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
            closed += 1
    return closed


def _range_of(board: Leaderboard) -> DateRange:
    if board.key == "week":
        return week_range(board.span)
    return season_range(int(board.span))


def races_award_points(*, at: datetime) -> int:
    """Award the points of recently settled rated races; how many races."""
    settled = Race.objects.filter(
        rated=True, voided_at=None, settled_at__gt=at - _LOOK_BACK
    )
    awarded = PointsLine.objects.filter(on__gte=day_of(at - _LOOK_BACK * 2))
    due = settled.exclude(id__in=awarded.values("source")).order_by("settled_at", "id")
    return sum(race_award_points(race) for race in due)


@transaction.atomic
def race_award_points(race: Race) -> int:
    """Award the points and records of one settled race; 1 if there were any, else 0."""
    placed = _placed_players(race)
    if not placed or race.settled_at is None:
        return 0
    points = [
        Points(one.account_id, pool, race_points(place, of))
        for pool in BoardPool
        for one, place, of in _places_in_pool(placed, pool)
    ]
    points_replace(
        source=race.id, ruleset=race.ruleset, on=day_of(race.settled_at), points=points
    )
    runs = Run.objects.filter(entrant__in=[one.id for one in placed], voided_at=None)
    proved = [run for run, _ in runs_verified(runs)]
    Run.objects.filter(id__in=[run.id for run in proved], counted_at=None).update(
        ranked=True, counted_at=race.settled_at
    )
    records_update(as_counted(run) for run in proved)
    return 1


def _places_in_pool(
    placed: Sequence[Entrant], pool: BoardPool
) -> list[tuple[Entrant, int, int]]:
    """The entrants of a pool, each with their place among them and their number.

    People are not placed behind programs, and get no points for beating them.
    """
    those = [one for one in placed if one.run and run_board_pool(one.run) is pool]
    places = [one.place or len(placed) for one in those]
    return [
        (one, 1 + sum(other < place for other in places), len(those))
        for one, place in zip(those, places, strict=True)
    ]


def _placed_players(race: Race) -> list[Entrant]:
    return list(
        Entrant.objects.filter(
            race=race, kind=Entrant.Kind.PLAYER, place__isnull=False, run__isnull=False
        )
        .select_related("account", "run")
        .order_by("place", "id")
    )


def board_pool_of(account: Account) -> BoardPool:
    """Among whom an account is ranked, if it plays all its moves itself.

    A run's own pool is `run_board_pool`.
    """
    return BoardPool.BOTS if account.is_bot else BoardPool.PEOPLE
