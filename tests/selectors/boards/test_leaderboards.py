"""The JSON of boards: pages, the viewer's surroundings, the curve, the list."""

from typing import Any

import pytest

from game.contest.ranking import BOARDS, score_key
from game.models import Account, Leaderboard
from game.selectors.boards.leaderboards import (
    BoardVisibility,
    PageRequest,
    board_show,
    boards_list,
)
from game.services.accounts.accounts import guest_create
from game.services.boards.entries import (
    Entry,
    board_get_or_create,
    entries_upsert,
)
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def people(db: None) -> list[Account]:
    return [guest_create(at=NOON) for _ in range(14)]


@pytest.fixture
def board(people: list[Account]) -> Leaderboard:
    """Fourteen entries, the first person's is the best."""
    board = board_get_or_create("best", "people", ruleset="tavern-1")
    entries_upsert(
        board,
        [
            Entry(one.id, score_key(30 - place, 0, is_cleared=True), 30 - place)
            for place, one in enumerate(people)
        ],
    )
    return board


def shown(board: Leaderboard, **page: Any) -> Any:
    request = PageRequest(**{"viewer_id": None, "limit": 50, **page})
    return board_show(BOARDS["best"], board, request, BoardVisibility.FULL)


def ranks(found: dict[str, Any]) -> list[int]:
    return [entry["rank"] for entry in found["results"]]


def test_page_has_a_next_one_only_if_entries_follow(board: Leaderboard) -> None:
    first = shown(board, limit=7)
    assert ranks(first) == [1, 2, 3, 4, 5, 6, 7]
    second = shown(board, limit=7, after=first["next"])
    assert ranks(second) == [8, 9, 10, 11, 12, 13, 14]
    assert second["next"] is None


def test_around_the_viewer_are_five_entries_on_each_side(
    board: Leaderboard, people: list[Account]
) -> None:
    middle = shown(board, is_around_viewer=True, viewer_id=people[6].id)
    assert ranks(middle) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert ranks(shown(board, after=middle["next"])) == [13, 14]
    near_the_end = shown(board, is_around_viewer=True, viewer_id=people[8].id)
    assert ranks(near_the_end) == [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert near_the_end["next"] is None


def test_curve_is_on_the_first_page_only(
    board: Leaderboard, people: list[Account]
) -> None:
    first = shown(board, limit=2)
    assert len(first["curve"]) == 14
    assert first["curve"][0] == {"score": 30, "players": 1}
    assert shown(board, limit=2, after=first["next"])["curve"] == []
    assert shown(board, is_around_viewer=True, viewer_id=people[0].id)["curve"] == []


def test_spans_are_listed_newest_first(db: None) -> None:
    for number in ("9", "10", "2"):
        board_get_or_create("season", "people", ruleset="tavern-1", span=number)
    for week in ("2026-W52", "2027-W01"):
        board_get_or_create("week", "people", ruleset="tavern-1", span=week)
    found = {kind["board"]: kind["spans"] for kind in boards_list()}
    assert found["season"] == ["10", "9", "2"]
    assert found["week"] == ["2027-W01", "2026-W52"]
