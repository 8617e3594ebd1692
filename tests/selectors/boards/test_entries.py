"""Ranks from buckets equal counted ranks; pages have every entry."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.contest.ranking import SortKey, score_key
from game.models import Account, BoardBucket, BoardEntry, Leaderboard
from game.selectors.boards.entries import (
    own_line,
    page_after,
    page_before,
    rank_lines,
    rank_of,
    total_of,
)
from game.services.accounts.accounts import guest_create
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_delete,
    entries_replace,
    entries_upsert,
)
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def people(db: None) -> list[Account]:
    return [guest_create(at=NOON) for _ in range(40)]


def row(account: Account, score: int, ms: int) -> Entry:
    return Entry(account.id, score_key(score, ms, is_cleared=score > 0), score)


def check(board: Leaderboard) -> None:
    entries = list(BoardEntry.objects.filter(board=board).order_by("order", "ms", "id"))
    standings = [SortKey(e.order, e.ms) for e in entries]
    expected = [1 + sum(b < a for b in standings) for a in standings]
    lines = page_after(board.id, None, 100)
    assert [line.id for line in lines] == [entry.id for entry in entries]
    assert [rank_of(board.id, line.keyset) for line in lines] == expected
    assert total_of(board.id) == len(entries)
    for size in (1, 3, 7):
        found, keyset = [], None
        while page := rank_lines(board.id, page_after(board.id, keyset, size)):
            found += [rank for rank, _ in page]
            keyset = page[-1][1].keyset
        assert found == expected
    for at, line in enumerate(lines):
        before = page_before(board.id, line.keyset, 4)
        assert before == lines[max(0, at - 4) : at]
        assert own_line(board.id, line.account_id) == line


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(chance=st.randoms(use_true_random=False), spread=st.sampled_from([2, 30]))
def test_ranks_and_pages(
    people: list[Account], chance: random.Random, spread: int
) -> None:
    board = board_get_or_create(
        "best", "people", ruleset="tavern-1", difficulty="normal"
    )

    def some(n: int) -> list[Entry]:
        return [
            row(a, chance.randrange(-spread, spread), chance.randrange(60_000))
            for a in chance.sample(people, n)
        ]

    entries_replace(board, some(25))
    check(board)
    entries_upsert(board, some(20))
    entries_delete(board, [a.id for a in chance.sample(people, 10)])
    check(board)
    assert not BoardBucket.objects.filter(board=board, n__lte=0).exists()


def test_upserting_an_entry_twice_counts_it_once(people: list[Account]) -> None:
    board = board_get_or_create("best", "people")
    for _ in range(2):
        entries_upsert(board, [row(people[0], 5, 1000)])
    assert total_of(board.id) == 1
    assert sum(b.n for b in BoardBucket.objects.all()) == 2
