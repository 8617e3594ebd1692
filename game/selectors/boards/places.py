"""Reads places on a board: pages by keyset, ranks from buckets. SQL by hand.

Row-value comparison keeps a page at one index range scan, and a rank at a few hundred
buckets, whether a board has ten thousand entries or a million; the ORM writes neither.
Both databases take the same text. Writers are `services/boards/entries`.
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


class Place(NamedTuple):
    """Where a line stands among all of its board; a page goes on after one."""

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
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.order, self.ms, self.id)


def page_after(board_id: int, place: Place | None, limit: int) -> list[BoardLine]:
    """The lines after a place, or the first ones."""
    if place is None:
        return _lines(_FIRST, (board_id, limit))
    return _lines(_AFTER, (board_id, *place, limit))


def page_before(board_id: int, place: Place, limit: int) -> list[BoardLine]:
    """The lines just ahead of a place, in the board's order."""
    return _lines(_BEFORE, (board_id, *place, limit))[::-1]


def own_line(board_id: int, account_id: str) -> BoardLine | None:
    """An account's line."""
    found = _lines(_OWN, (board_id, account_id))
    return found[0] if found else None


def ahead_of(board_id: int, place: Place) -> tuple[int, int]:
    """How many stand ahead of a place, and how many share its rank before its id.

    The rank is the first of the two, plus one.
    """
    order, ms, entry = place
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


def rank_of(board_id: int, place: Place) -> int:
    """The rank of a place: 1 for the first, shared by equals."""
    return ahead_of(board_id, place)[0] + 1


def ranked(board_id: int, lines: Sequence[BoardLine]) -> list[tuple[int, BoardLine]]:
    """Lines that follow each other on a board, each with its rank."""
    if not lines:
        return []
    ahead, tied = ahead_of(board_id, lines[0].place)
    found = [(ahead + 1, lines[0])]
    for position, line in enumerate(lines[1:], start=ahead + tied + 2):
        rank, before = found[-1]
        is_tied = (line.order, line.ms) == (before.order, before.ms)
        found.append((rank if is_tied else position, line))
    return found


def orders_of(board_id: int) -> list[tuple[int, int]]:
    """How many entries each order has, best first: the curve of a board."""
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
