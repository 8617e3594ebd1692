"""All-time boards: best scores, fastest clearances, longest streaks, ratings.

`records_update` and `streaks_extend` add runs that were just counted. The `_recompute`
functions rebuild an account's entries from all its counted runs, which is needed if a
run was voided or counted out of order.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, TypeVar

from django.db.models import F, Q, QuerySet

from game.contest.ranking import (
    MAX_RATING_DEVIATION,
    MIN_RATED_RACES,
    BoardPool,
    SortKey,
    number_key,
    run_pool,
    score_key,
    time_key,
)
from game.contest.streaks import Streak, build_streak, extend_streak
from game.models import BoardEntry, Leaderboard, Rating, RatingPool, Run, StreakRow
from game.selectors.boards.bridged_days import bridged_days
from game.selectors.runs.runs import run_elapsed_ms
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_delete,
    entries_upsert,
)

T = TypeVar("T")
_CHUNK = 500
_RECORDS = ("best", "fastest")
# Ratings change in concurrent transactions; this overlap finds every change.
_RATINGS_SINCE = timedelta(minutes=5)


class CountedRun(NamedTuple):
    """A verified ranked run, with what records need."""

    run_id: str
    account_id: str
    pool: str
    ruleset: str
    difficulty: str
    score: int
    cleared: bool
    elapsed_ms: int


def counted_runs() -> QuerySet[Run]:
    """All runs that count for boards: ranked, verified and not voided.

    Runs of races count only if the system paired the entrants.
    """
    is_eligible = Q(kind=Run.Kind.DAILY) | Q(race__rated=True, race__is_paired=True)
    return Run.objects.filter(
        is_eligible, ranked=True, counted_at__isnull=False, voided_at__isnull=True
    )


def run_board_pool(run: Run) -> BoardPool:
    """Among whom a run is ranked."""
    return run_pool(by_program=run.by_program)


def counted_run(run: Run) -> CountedRun:
    """Convert a run to a CountedRun."""
    assert run.score is not None
    return CountedRun(
        run.id,
        run.account_id,
        run_board_pool(run),
        run.ruleset,
        run.difficulty,
        run.score,
        run.status == Run.Status.CLEARED,
        run_elapsed_ms(run),
    )


def records_update(runs: Iterable[CountedRun]) -> None:
    """Update the records with runs that were just counted, where they are better."""
    for board, rows in _best_by_board(runs).items():
        for part in chunked(list(rows.values()), _CHUNK):
            current = _current_keys(board, [row.account_id for row in part])
            entries_upsert(
                board,
                [
                    row
                    for row in part
                    if _sort_key(row) < current.get(row.account_id, _WORST)
                ],
            )


def records_recompute(accounts: Collection[str]) -> None:
    """Rebuild the records of these accounts from all their counted runs."""
    boards = Leaderboard.objects.filter(key__in=_RECORDS)
    for board in boards.filter(entries__account__in=accounts).distinct():
        entries_delete(board, accounts)
    runs = counted_runs().filter(account_id__in=accounts).select_related("account")
    records_update(counted_run(run) for run in runs.iterator(_CHUNK))


_WORST = (SortKey(2**31, 0), "")


def _sort_key(entry: Entry) -> tuple[SortKey, str]:
    # Among equal runs the id decides, so that the order of processing does not matter.
    return entry.sort_key, entry.run_id or ""


def _current_keys(
    board: Leaderboard, accounts: list[str]
) -> dict[str, tuple[SortKey, str]]:
    rows = BoardEntry.objects.filter(board=board, account_id__in=accounts)
    return {
        account: (SortKey(order, ms), run_id or "")
        for account, order, ms, run_id in rows.values_list(
            "account_id", "order", "ms", "run_id"
        )
    }


def _best_by_board(runs: Iterable[CountedRun]) -> dict[Leaderboard, dict[str, Entry]]:
    """The best entry of each account, for each board that the runs belong to."""
    boards: dict[tuple[str, str, str, str], Leaderboard] = {}
    best_entries: dict[Leaderboard, dict[str, Entry]] = defaultdict(dict)
    for run in runs:
        for key, row in _entries_of(run):
            kind = (key, run.pool, run.ruleset, run.difficulty)
            if kind not in boards:
                boards[kind] = board_get_or_create(
                    key, run.pool, ruleset=run.ruleset, difficulty=run.difficulty
                )
            rows = best_entries[boards[kind]]
            best = rows.get(run.account_id)
            if best is None or _sort_key(row) < _sort_key(best):
                rows[run.account_id] = row
    return best_entries


def _entries_of(run: CountedRun) -> Iterator[tuple[str, Entry]]:
    sort_key = score_key(run.score, run.elapsed_ms, is_cleared=run.cleared)
    yield (
        "best",
        Entry(run.account_id, sort_key, run.score, run.run_id, cleared=run.cleared),
    )
    if run.cleared:
        yield (
            "fastest",
            Entry(
                run.account_id,
                time_key(run.elapsed_ms),
                run.elapsed_ms,
                run.run_id,
                cleared=True,
            ),
        )


def streaks_extend(on: date, pool: str, accounts: Sequence[str]) -> dict[str, Streak]:
    """Add a settled day to the streaks of these accounts; return their streaks."""
    streaks: dict[str, Streak] = {}
    bridged = bridged_days()
    for part in chunked(accounts, _CHUNK):
        rows = {row.account_id: row for row in StreakRow.objects.filter(pk__in=part)}
        later = [a for a, r in rows.items() if r.last_on and r.last_on > on]
        recomputed = _streaks_of(later) if later else {}
        for account in part:
            row = rows.get(account)
            streaks[account] = recomputed.get(account) or extend_streak(
                _value(row), on, bridged
            )
        _write_streaks(pool, {account: streaks[account] for account in part})
    return streaks


def streaks_recompute(pool: str, accounts: Sequence[str]) -> None:
    """Rebuild the streaks of these accounts from all their counted dailies."""
    for part in chunked(accounts, _CHUNK):
        streaks = _streaks_of(part)
        _write_streaks(pool, streaks)
        none = [account for account in part if account not in streaks]
        StreakRow.objects.filter(pk__in=none).delete()
        entries_delete(board_get_or_create("streak", pool), none)


def played_days(accounts: Sequence[str]) -> dict[str, set[date]]:
    """The days with a counted daily in which a card was faced, by account.

    A person's days are those they played without a program.
    """
    days: dict[str, set[date]] = defaultdict(set)
    runs = counted_runs().filter(
        kind=Run.Kind.DAILY,
        account_id__in=accounts,
        faced__gt=0,
        by_program=F("account__is_bot"),
    )
    for account, on in runs.values_list("account_id", "daily__on"):
        if on is not None:
            days[account].add(on)
    return days


def _streaks_of(accounts: Sequence[str]) -> dict[str, Streak]:
    bridged = bridged_days()
    played = played_days(accounts)
    return {a: build_streak(days, bridged) for a, days in played.items()}


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
    rows = [Entry(a, number_key(s.longest), s.longest) for a, s in streaks.items()]
    entries_upsert(board_get_or_create("streak", pool), rows)


def rating_boards_update(*, since: datetime | None) -> int:
    """Update the rating boards with changes since then; how many ratings were checked.

    A rating is on its board with MIN_RATED_RACES races and a deviation below
    MAX_RATING_DEVIATION, unless its account is marked for cheating, or is a bot on the
    board of people.
    """
    changed = Rating.objects.order_by("id").select_related("account")
    if since is not None:
        changed = changed.filter(changed_at__gt=since - _RATINGS_SINCE)
    upserts: dict[tuple[BoardPool, str], list[Entry]] = defaultdict(list)
    deletes: dict[tuple[BoardPool, str], list[str]] = defaultdict(list)
    for rating in changed.iterator(_CHUNK):
        pool = BoardPool.BOTS if rating.pool == RatingPool.BOT else BoardPool.PEOPLE
        number = round(rating.rating)
        is_shown = rating.account.cheat_marked_at is None and (
            pool is BoardPool.BOTS or not rating.account.is_bot
        )
        if (
            is_shown
            and rating.races >= MIN_RATED_RACES
            and rating.deviation < MAX_RATING_DEVIATION
        ):
            row = Entry(rating.account_id, number_key(number), number)
            upserts[pool, rating.ruleset].append(row)
        else:
            deletes[pool, rating.ruleset].append(rating.account_id)
    for (pool, ruleset), rows in upserts.items():
        entries_upsert(board_get_or_create("rating", pool, ruleset=ruleset), rows)
    for (pool, ruleset), accounts in deletes.items():
        entries_delete(board_get_or_create("rating", pool, ruleset=ruleset), accounts)
    return sum(map(len, upserts.values())) + sum(map(len, deletes.values()))


def chunked(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in chunks of at most `size`: SQL statements have a parameter limit."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
