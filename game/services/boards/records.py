"""Boards of all time: best scores, fastest clearances, longest streaks, ratings.

`records_note` and `streaks_note` take in what has just been counted; the `_recompute`
pair makes an account's entries anew from all its counted runs, where one was voided or
came out of order.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, TypeVar

from django.db.models import QuerySet

from game.contest.ranking import (
    MAX_RATING_DEVIATION,
    MIN_RATED_RACES,
    BoardPool,
    SortKey,
    number_key,
    score_key,
    time_key,
)
from game.contest.streaks import Streak, build_streak, extend_streak
from game.models import BoardEntry, Leaderboard, Rating, RatingPool, Run, StreakRow
from game.selectors.core.times import elapsed_ms
from game.services.boards.entries import Row, board_drop, board_of, board_put

T = TypeVar("T")
_CHUNK = 500
_RECORDS = ("best", "fastest")
# Ratings change under races of their own; so much overlap finds every change.
_RATINGS_SINCE = timedelta(minutes=5)


class Counted(NamedTuple):
    """A verified ranked run, as far as records go."""

    run_id: str
    account_id: str
    pool: str
    ruleset: str
    difficulty: str
    score: int
    cleared: bool
    elapsed_ms: int


def counted_runs() -> QuerySet[Run]:
    """All runs that boards are views over."""
    return Run.objects.filter(
        ranked=True, counted_at__isnull=False, voided_at__isnull=True
    )


def counted_of(run: Run) -> Counted:
    """A run fetched with its account, as records take it."""
    assert run.score is not None
    assert run.finished_at is not None
    return Counted(
        run.id,
        run.account_id,
        BoardPool.BOTS if run.account.is_bot else BoardPool.PEOPLE,
        run.ruleset,
        run.difficulty,
        run.score,
        run.status == Run.Status.CLEARED,
        elapsed_ms(run.started_at, run.finished_at),
    )


def records_note(runs: Iterable[Counted]) -> None:
    """Take in runs that have just been counted, where they are better."""
    for board, rows in _by_board(runs).items():
        for part in in_parts(list(rows.values()), _CHUNK):
            have = _have(board, [row.account_id for row in part])
            board_put(
                board,
                [row for row in part if _key(row) < have.get(row.account_id, _WORST)],
            )


def records_recompute(accounts: Collection[str]) -> None:
    """Make the records of these accounts anew from all their counted runs."""
    boards = Leaderboard.objects.filter(key__in=_RECORDS)
    for board in boards.filter(entries__account__in=accounts).distinct():
        board_drop(board, accounts)
    runs = counted_runs().filter(account_id__in=accounts).select_related("account")
    records_note(counted_of(run) for run in runs.iterator(_CHUNK))


_WORST = (SortKey(2**31, 0), "")


def _key(row: Row) -> tuple[SortKey, str]:
    # Of two equal ones the run's id decides, so that any order of work ends alike.
    return row.standing, row.run_id or ""


def _have(board: Leaderboard, accounts: list[str]) -> dict[str, tuple[SortKey, str]]:
    rows = BoardEntry.objects.filter(board=board, account_id__in=accounts)
    return {
        account: (SortKey(order, ms), run_id or "")
        for account, order, ms, run_id in rows.values_list(
            "account_id", "order", "ms", "run_id"
        )
    }


def _by_board(runs: Iterable[Counted]) -> dict[Leaderboard, dict[str, Row]]:
    """The best row of each account for each board that the runs belong on."""
    boards: dict[tuple[str, str, str, str], Leaderboard] = {}
    found: dict[Leaderboard, dict[str, Row]] = defaultdict(dict)
    for run in runs:
        for key, row in _rows(run):
            kind = (key, run.pool, run.ruleset, run.difficulty)
            if kind not in boards:
                boards[kind] = board_of(
                    key, run.pool, ruleset=run.ruleset, difficulty=run.difficulty
                )
            rows = found[boards[kind]]
            best = rows.get(run.account_id)
            if best is None or _key(row) < _key(best):
                rows[run.account_id] = row
    return found


def _rows(run: Counted) -> Iterator[tuple[str, Row]]:
    standing = score_key(run.score, run.elapsed_ms, cleared=run.cleared)
    yield (
        "best",
        Row(run.account_id, standing, run.score, run.run_id, cleared=run.cleared),
    )
    if run.cleared:
        yield (
            "fastest",
            Row(
                run.account_id,
                time_key(run.elapsed_ms),
                run.elapsed_ms,
                run.run_id,
                cleared=True,
            ),
        )


def streaks_note(on: date, pool: str, accounts: Sequence[str]) -> dict[str, Streak]:
    """Count a settled day for those who played it; their streaks after it."""
    found: dict[str, Streak] = {}
    for part in in_parts(accounts, _CHUNK):
        rows = {row.account_id: row for row in StreakRow.objects.filter(pk__in=part)}
        late = [a for a, r in rows.items() if r.last_on and r.last_on > on]
        again = _streaks_of(late) if late else {}
        for account in part:
            row = rows.get(account)
            found[account] = again.get(account) or extend_streak(_value(row), on)
        _write_streaks(pool, {account: found[account] for account in part})
    return found


def streaks_recompute(pool: str, accounts: Sequence[str]) -> None:
    """Make the streaks of these accounts anew from all their counted dailies."""
    for part in in_parts(accounts, _CHUNK):
        found = _streaks_of(part)
        _write_streaks(pool, found)
        none = [account for account in part if account not in found]
        StreakRow.objects.filter(pk__in=none).delete()
        board_drop(board_of("streak", pool), none)


def played_days(accounts: Sequence[str]) -> dict[str, set[date]]:
    """The days on which each account's counted daily came to facing a card."""
    days: dict[str, set[date]] = defaultdict(set)
    runs = counted_runs().filter(
        kind=Run.Kind.DAILY, account_id__in=accounts, faced__gt=0
    )
    for account, on in runs.values_list("account_id", "daily__on"):
        if on is not None:
            days[account].add(on)
    return days


def _streaks_of(accounts: Sequence[str]) -> dict[str, Streak]:
    return {a: build_streak(days) for a, days in played_days(accounts).items()}


def _value(row: StreakRow | None) -> Streak:
    if row is None:
        return Streak()
    return Streak(row.last_on, row.current, row.longest, row.frozen_on)


def _write_streaks(pool: str, streaks: dict[str, Streak]) -> None:
    StreakRow.objects.bulk_create(
        [StreakRow(account_id=a, **s._asdict()) for a, s in streaks.items()],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=list(Streak._fields),
    )
    rows = [Row(a, number_key(s.longest), s.longest) for a, s in streaks.items()]
    board_put(board_of("streak", pool), rows)


def ratings_note(*, since: datetime | None) -> int:
    """Bring the rating boards up to date with changes since then; how many looked at.

    An entry goes where its deviation has grown past the bound again, or its account's
    results are left out of rated play.
    """
    changed = Rating.objects.order_by("id").select_related("account")
    if since is not None:
        changed = changed.filter(changed_at__gt=since - _RATINGS_SINCE)
    put: dict[tuple[BoardPool, str], list[Row]] = defaultdict(list)
    drop: dict[tuple[BoardPool, str], list[str]] = defaultdict(list)
    for one in changed.iterator(_CHUNK):
        pool = BoardPool.BOTS if one.pool == RatingPool.BOT else BoardPool.PEOPLE
        number = round(one.rating)
        is_shown = one.account.cheat_marked_at is None
        if (
            is_shown
            and one.races >= MIN_RATED_RACES
            and one.deviation < MAX_RATING_DEVIATION
        ):
            row = Row(one.account_id, number_key(number), number)
            put[pool, one.ruleset].append(row)
        else:
            drop[pool, one.ruleset].append(one.account_id)
    for (pool, ruleset), rows in put.items():
        board_put(board_of("rating", pool, ruleset=ruleset), rows)
    for (pool, ruleset), accounts in drop.items():
        board_drop(board_of("rating", pool, ruleset=ruleset), accounts)
    return sum(map(len, put.values())) + sum(map(len, drop.values()))


def in_parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in parts of a size a statement's parameters allow."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
