"""Every paged list, walked to its end: no row twice, none missing.

A list is a route with a `cursor` parameter; one that is not in LISTS fails. Many rows
have the same time, as after an import or a busy second.
"""

from collections.abc import Callable
from copy import copy
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client

from game.contest.ranking import score_key
from game.models import Daily, Entrant, Race, Run
from game.models.core.ids import new_id
from game.services.accounts.accounts import guest_create
from game.services.boards.entries import Entry, board_get_or_create, entries_upsert
from game.services.dailies.settle import daily_settle
from game.services.runs.runs import practice_start
from tests.api.rest.core.test_parameters import OPERATIONS
from tests.fixtures.accounts import person
from tests.fixtures.dailies import DAY, MORNING, SETTLES
from tests.fixtures.races import create_race, play_all, start_race
from tests.fixtures.runs import NOON, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
# More than a page by default.
ROWS, BOARD_ROWS = 22, 52
Made = tuple[str, Client]


def same(_: int) -> dict[str, Any]:
    """The values of copies that differ in nothing but their ids."""
    return {}


def copies(row: Any, values: Callable[[int], dict[str, Any]] = same) -> list[Any]:
    """Store copies of a row with new ids, and with other values by number."""
    made = [copy(row) for _ in range(ROWS - 1)]
    for number, one in enumerate(made):
        one._state = copy(row._state)
        one.pk = None if isinstance(row.pk, int) else new_id()
        for name, value in values(number).items():
            setattr(one, name, value)
    model: type[Model] = type(row)
    return model._default_manager.bulk_create(made)


def own_runs() -> Made:
    olga = person("Olga")
    copies(practice_start(account=olga, at=NOON, seed="a"))
    return "runs/", signed_in(olga)


def finished_runs() -> Made:
    olga = person("Olga")
    run = practice_start(account=olga, at=NOON, seed="a")
    run.status, run.finished_at, run.score = Run.Status.ABANDONED, NOON, -20
    run.save()
    run.dungeon.revealed_at = NOON
    run.dungeon.save()
    copies(run)
    return "players/Olga/runs/", Client()


def seat_values(races: list[Race], runs: list[Run], number: int) -> dict[str, Any]:
    return {"race_id": races[number].id, "run_id": runs[number].id}


def finished_races() -> Made:
    people = [person("Olga"), person("Otto")]
    race_id = start_race(people)
    play_all(race_id, people)
    races = copies(Race.objects.get(id=race_id))
    for seat in Entrant.objects.filter(race_id=race_id).select_related("run"):
        runs = copies(seat.run, lambda n: {"race_id": races[n].id})
        copies(seat, partial(seat_values, races, runs))
    return "players/Olga/races/", Client()


def lobby() -> Made:
    race_id = create_race([person("Olga")])
    copies(Race.objects.get(id=race_id))
    return "races/", Client()


def dailies() -> Made:
    not_chosen = {"dungeon_id": None, "candidate": None, "chosen_at": None}
    copies(
        Daily.objects.get(on=DAY),
        lambda n: {"on": DAY - timedelta(days=n + 1), "choice": "", **not_chosen},
    )
    return "dailies/", Client()


def board(key: str, **where: Any) -> None:
    """Fill a board; each score is that of three players."""
    entries_upsert(
        board_get_or_create(key, "people", ruleset="tavern-1", **where),
        [
            Entry(
                guest_create(at=NOON).id, score_key(n // 3, 0, is_cleared=True), n // 3
            )
            for n in range(BOARD_ROWS)
        ],
    )


def daily_board() -> Made:
    daily = Daily.objects.get(on=DAY)
    daily_settle(daily.id, at=SETTLES)
    board("daily", difficulty=daily.difficulty, span=DAY.isoformat())
    return f"dailies/{DAY}/leaderboard/", Client()


def best_board() -> Made:
    board("best", difficulty="normal")
    return "leaderboards/best/", Client()


LISTS: dict[str, Callable[[], Made]] = {
    "runs/": own_runs,
    "players/{name}/runs/": finished_runs,
    "players/{name}/races/": finished_races,
    "races/": lobby,
    "dailies/": dailies,
    "dailies/{on}/leaderboard/": daily_board,
    "leaderboards/{board}/": best_board,
}


def test_every_list_is_walked() -> None:
    assert {path for _, path, query, _ in OPERATIONS if "cursor" in query} == set(LISTS)


def name_of(row: dict[str, Any]) -> str:
    """What tells the rows of a list apart."""
    return str(row.get("id") or row.get("date") or row["player"])


@pytest.mark.parametrize("path", LISTS)
def test_no_row_is_missing_and_none_comes_twice(
    path: str, daily: Daily, time_machine: Any
) -> None:
    if path.startswith("dailies"):
        time_machine.move_to(SETTLES if "leaderboard" in path else MORNING)
    address, client = LISTS[path]()
    rows = BOARD_ROWS if "leaderboard" in path else ROWS
    walks = []
    for query in ("", "?limit=1", "?limit=2", "?limit=100"):
        seen: list[str] = []
        following: str | None = f"/api/v1/{address}{query}"
        while following:
            page = client.get(following).json()
            seen += [name_of(row) for row in page["results"]]
            assert len(seen) <= rows, query
            following = page["next"]
        walks.append(seen)
    assert [len(set(seen)) for seen in walks] == [rows] * 4
    assert all(seen == walks[0] for seen in walks)
