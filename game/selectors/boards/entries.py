"""Reads entries of a board: pages by keyset, ranks from buckets, in raw SQL.

A row-value comparison reads a page with one index range scan, and a rank sums a few
hundred buckets, even on a board with a million entries; the ORM cannot express either.
The SQL runs on PostgreSQL and SQLite. `services/boards/entries` writes the entries.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from game.contest.ranking import SLOT_MS
from game.models import ALL_SLOTS

_COLUMNS = """
select e.id, e."order", e.ms, e.number, e.cleared, e.run_id, e.account_id, a.name
from game_boardentry e join game_account a on a.id = e.account_id
where e.board_id = %s
"""
_FIRST = _COLUMNS + ' order by e."order", e.ms, e.id limit %s'
_AFTER = (
    _COLUMNS
    + ' and (e."order", e.ms, e.id) > (%s, %s, %s)'
    + ' order by e."order", e.ms, e.id limit %s'
)
_BEFORE = (
    _COLUMNS
    + ' and (e."order", e.ms, e.id) < (%s, %s, %s)'
    + ' order by e."order" desc, e.ms desc, e.id desc limit %s'
)
_OWN = _COLUMNS + " and e.account_id = %s"
_RANK = """
select
    (select coalesce(sum(n), 0) from game_boardbucket
        where board_id = %s and slot = %s and "order" < %s)
    + (select coalesce(sum(n), 0) from game_boardbucket
        where board_id = %s and "order" = %s and slot >= 0 and slot < %s)
    + (select count(*) from game_boardentry
        where board_id = %s and "order" = %s and ms >= %s and ms < %s),
    (select count(*) from game_boardentry
        where board_id = %s and "order" = %s and ms = %s and id < %s)
"""
_ORDERS = """
select "order", n from game_boardbucket where board_id = %s and slot = %s
order by "order"
"""
_TOTAL = """
select coalesce(sum(n), 0) from game_boardbucket where board_id = %s and slot = %s
"""


class Keyset(NamedTuple):
    """The position of an entry in the order of its board; pages start after one."""

    order: int
    ms: int
    id: int


class BoardLine(NamedTuple):
    """One entry with its player's name."""

    id: int
    order: int
    ms: int
    number: int
    cleared: bool
    run_id: str | None
    account_id: str
    player: str

    @property
    def keyset(self) -> Keyset:
        """The keyset of this entry."""
        return Keyset(self.order, self.ms, self.id)


def page_after(board_id: int, keyset: Keyset | None, limit: int) -> list[BoardLine]:
    """The entries after a keyset, or the first ones."""
    if keyset is None:
        return _lines(_FIRST, (board_id, limit))
    return _lines(_AFTER, (board_id, *keyset, limit))


def page_before(board_id: int, keyset: Keyset, limit: int) -> list[BoardLine]:
    """The entries just before a keyset, in the board's order."""
    return _lines(_BEFORE, (board_id, *keyset, limit))[::-1]


def own_line(board_id: int, account_id: str) -> BoardLine | None:
    """The entry of an account, if it has one."""
    lines = _lines(_OWN, (board_id, account_id))
    return lines[0] if lines else None


def counts_before(board_id: int, keyset: Keyset) -> tuple[int, int]:
    """How many entries have a better rank, and how many of the same rank a lower id.

    The rank is the first number plus one.
    """
    order, ms, entry = keyset
    slot = ms // SLOT_MS
    with connection.cursor() as cursor:
        cursor.execute(
            _RANK,
            (
                *(board_id, ALL_SLOTS, order),
                *(board_id, order, slot),
                *(board_id, order, slot * SLOT_MS, ms),
                *(board_id, order, ms, entry),
            ),
        )
        ahead, tied = cursor.fetchone()
    return int(ahead), int(tied)


def rank_of(board_id: int, keyset: Keyset) -> int:
    """The rank at a keyset: 1 for the first; equal entries share a rank."""
    return counts_before(board_id, keyset)[0] + 1


def rank_lines(
    board_id: int, lines: Sequence[BoardLine]
) -> list[tuple[int, BoardLine]]:
    """Consecutive entries of a board, each with its rank."""
    if not lines:
        return []
    ahead, tied = counts_before(board_id, lines[0].keyset)
    ranked_lines = [(ahead + 1, lines[0])]
    for position, line in enumerate(lines[1:], start=ahead + tied + 2):
        rank, before = ranked_lines[-1]
        is_tied = (line.order, line.ms) == (before.order, before.ms)
        ranked_lines.append((rank if is_tied else position, line))
    return ranked_lines


def orders_of(board_id: int) -> list[tuple[int, int]]:
    """How many entries have each order, best first."""
    with connection.cursor() as cursor:
        cursor.execute(_ORDERS, (board_id, ALL_SLOTS))
        return [(order, n) for order, n in cursor.fetchall() if n]


def total_of(board_id: int) -> int:
    """How many entries a board has."""
    with connection.cursor() as cursor:
        cursor.execute(_TOTAL, (board_id, ALL_SLOTS))
        return int(cursor.fetchone()[0])


def _lines(sql: str, values: tuple[int | str, ...]) -> list[BoardLine]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [BoardLine(*row) for row in cursor.fetchall()]
