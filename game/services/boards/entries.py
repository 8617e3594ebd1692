"""Writes entries of boards, and the buckets that count them, always together.

Knows nothing of what a board is about: `leaderboards` and `settling` do. Each writer
takes the board's row first, so that two of them cannot count one entry twice.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection, transaction

from game.contest.ranking import SLOT_MS, SortKey
from game.models import ALL_SLOTS, BoardBucket, BoardEntry, Leaderboard

_CHUNK = 500
_COUNT = """
insert into game_boardbucket (board_id, slot, "order", n) values (%s, %s, %s, %s)
on conflict (board_id, slot, "order") do update set n = game_boardbucket.n + excluded.n
"""
_FIELDS = ["run", "order", "ms", "number", "cleared"]


class Row(NamedTuple):
    """One account's entry, to be written."""

    account_id: str
    standing: SortKey
    number: int
    run_id: str | None = None
    cleared: bool = False


def board_of(
    key: str, pool: str, *, ruleset: str = "", difficulty: str = "", span: str = ""
) -> Leaderboard:
    """The board of that kind, made if need be."""
    return Leaderboard.objects.get_or_create(
        key=key, pool=pool, ruleset=ruleset, difficulty=difficulty, span=span
    )[0]


@transaction.atomic
def board_put(board: Leaderboard, rows: Sequence[Row]) -> None:
    """Set the entries of these accounts, each at most once among the rows."""
    _hold(board)
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        old = _standings(board, [row.account_id for row in part])
        BoardEntry.objects.bulk_create(
            [
                BoardEntry(
                    board=board,
                    account_id=row.account_id,
                    run_id=row.run_id,
                    order=row.standing.order,
                    ms=row.standing.ms,
                    number=row.number,
                    cleared=row.cleared,
                )
                for row in part
            ],
            update_conflicts=True,
            unique_fields=["board", "account"],
            update_fields=_FIELDS,
        )
        counts: Counter[tuple[int, int]] = Counter()
        for row in part:
            _count(counts, row.standing, 1)
        for standing in old.values():
            _count(counts, standing, -1)
        _write_counts(board, counts)


@transaction.atomic
def board_drop(board: Leaderboard, account_ids: Iterable[str]) -> None:
    """Take the entries of these accounts off the board."""
    _hold(board)
    old = _standings(board, list(account_ids))
    if not old:
        return
    BoardEntry.objects.filter(board=board, account_id__in=list(old)).delete()
    counts: Counter[tuple[int, int]] = Counter()
    for standing in old.values():
        _count(counts, standing, -1)
    _write_counts(board, counts)


@transaction.atomic
def board_fill(board: Leaderboard, rows: Sequence[Row]) -> None:
    """Make the board consist of these rows and nothing else."""
    _hold(board)
    BoardEntry.objects.filter(board=board).delete()
    BoardBucket.objects.filter(board=board).delete()
    board_put(board, rows)


def _hold(board: Leaderboard) -> None:
    Leaderboard.objects.select_for_update().get(id=board.id)


def _standings(board: Leaderboard, account_ids: list[str]) -> Mapping[str, SortKey]:
    rows = BoardEntry.objects.filter(board=board, account_id__in=account_ids)
    return {
        account_id: SortKey(order, ms)
        for account_id, order, ms in rows.values_list("account_id", "order", "ms")
    }


def _count(counts: Counter[tuple[int, int]], standing: SortKey, by: int) -> None:
    counts[ALL_SLOTS, standing.order] += by
    counts[standing.ms // SLOT_MS, standing.order] += by


def _write_counts(board: Leaderboard, counts: Counter[tuple[int, int]]) -> None:
    # In one order for everybody, though the board is held: no deadlock by chance.
    changed = [
        (board.id, slot, order, by)
        for (slot, order), by in sorted(counts.items())
        if by
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_COUNT, changed)
    if any(by < 0 for *_, by in changed):
        BoardBucket.objects.filter(board=board, n=0).delete()
