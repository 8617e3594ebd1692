"""Writes the entries of boards together with the buckets that count them.

Independent of what a board shows: `leaderboards` and `dailies/settle` know that. Each
function locks the board's row first, so that no entry is counted twice.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection, transaction

from game.contest.ranking import SLOT_MS, SortKey
from game.models import ALL_SLOTS, BoardBucket, BoardEntry, Leaderboard
from game.services.core.retry import retry_transaction

_CHUNK = 500
_ADD_TO_BUCKET = """
insert into game_boardbucket (board_id, slot, "order", n) values (%s, %s, %s, %s)
on conflict (board_id, slot, "order") do update set n = game_boardbucket.n + excluded.n
"""
_FIELDS = ["run", "order", "ms", "number", "cleared"]


class Entry(NamedTuple):
    """One account's entry to write; the fields are those of BoardEntry."""

    account_id: str
    sort_key: SortKey
    number: int
    run_id: str | None = None
    cleared: bool = False


def board_get_or_create(
    key: str, pool: str, *, ruleset: str = "", difficulty: str = "", span: str = ""
) -> Leaderboard:
    """The board of that kind, created if it does not exist."""
    return Leaderboard.objects.get_or_create(
        key=key, pool=pool, ruleset=ruleset, difficulty=difficulty, span=span
    )[0]


@retry_transaction
@transaction.atomic
def entries_upsert(board: Leaderboard, entries: Sequence[Entry]) -> None:
    """Create or replace these entries; at most one for each account."""
    _lock(board)
    for start in range(0, len(entries), _CHUNK):
        part = entries[start : start + _CHUNK]
        old = _sort_keys(board, [entry.account_id for entry in part])
        BoardEntry.objects.bulk_create(
            [
                BoardEntry(
                    board=board,
                    account_id=entry.account_id,
                    run_id=entry.run_id,
                    order=entry.sort_key.order,
                    ms=entry.sort_key.ms,
                    number=entry.number,
                    cleared=entry.cleared,
                )
                for entry in part
            ],
            update_conflicts=True,
            unique_fields=["board", "account"],
            update_fields=_FIELDS,
        )
        counts: Counter[tuple[int, int]] = Counter()
        for entry in part:
            _add_to_buckets(counts, entry.sort_key, 1)
        for sort_key in old.values():
            _add_to_buckets(counts, sort_key, -1)
        _update_buckets(board, counts)


@retry_transaction
@transaction.atomic
def entries_delete(board: Leaderboard, account_ids: Iterable[str]) -> None:
    """Delete the entries of these accounts from the board."""
    _lock(board)
    old = _sort_keys(board, list(account_ids))
    if not old:
        return
    BoardEntry.objects.filter(board=board, account_id__in=list(old)).delete()
    counts: Counter[tuple[int, int]] = Counter()
    for sort_key in old.values():
        _add_to_buckets(counts, sort_key, -1)
    _update_buckets(board, counts)


@retry_transaction
@transaction.atomic
def entries_replace(board: Leaderboard, entries: Sequence[Entry]) -> None:
    """Replace all entries of the board by these."""
    _lock(board)
    BoardEntry.objects.filter(board=board).delete()
    BoardBucket.objects.filter(board=board).delete()
    entries_upsert(board, entries)


def _lock(board: Leaderboard) -> None:
    Leaderboard.objects.select_for_update().get(id=board.id)


def _sort_keys(board: Leaderboard, account_ids: list[str]) -> Mapping[str, SortKey]:
    rows = BoardEntry.objects.filter(board=board, account_id__in=account_ids)
    return {
        account_id: SortKey(order, ms)
        for account_id, order, ms in rows.values_list("account_id", "order", "ms")
    }


def _add_to_buckets(
    counts: Counter[tuple[int, int]], sort_key: SortKey, by: int
) -> None:
    counts[ALL_SLOTS, sort_key.order] += by
    counts[sort_key.ms // SLOT_MS, sort_key.order] += by


def _update_buckets(board: Leaderboard, counts: Counter[tuple[int, int]]) -> None:
    # Sorted, so that two transactions cannot deadlock on the buckets.
    changed = [
        (board.id, slot, order, by)
        for (slot, order), by in sorted(counts.items())
        if by
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_ADD_TO_BUCKET, changed)
    if any(by < 0 for *_, by in changed):
        BoardBucket.objects.filter(board=board, n=0).delete()
