"""The prepared statement and the ORM read the same rows of a race."""

from typing import Any

import pytest
from django.db import models

from game.models import Account, Entrant, Run
from game.selectors.races.loading import race_load, race_rows_by_orm
from game.services.races.create import RaceTerms, race_make, race_rematch
from tests.fixtures.races import create_race, now, play_all, play_out, start_race

pytestmark = pytest.mark.django_db


def race_rows(race_id: str) -> tuple[Entrant, ...]:
    """Return the entrants as `race_load` reads them."""
    table = race_load(race_id)
    return table.entrants if table else ()


def loaded_fields(row: models.Model | None) -> dict[str, Any] | None:
    """Return the loaded fields of a row, without another query."""
    if row is None:
        return None
    return {name: value for name, value in vars(row).items() if name != "_state"}


def related_fields(one: Entrant) -> list[dict[str, Any] | None]:
    """Return the fields of an entrant and of all rows that it refers to."""
    race, ghost = one.race, one.ghost
    related = (one, race, race.dungeon, getattr(race, "rematch", None), one.account)
    runs = (one.run, ghost, ghost and ghost.account)
    return [loaded_fields(row) for row in (*related, *runs)]


def compare_rows(race_id: str) -> int:
    """Check that SQL and ORM read the same entrants; return how many there are."""
    one, two = race_rows(race_id), list(race_rows_by_orm(race_id))
    assert len(one) == len(two)
    for by_sql, by_orm in zip(one, two, strict=True):
        for ours, theirs in zip(
            related_fields(by_sql), related_fields(by_orm), strict=True
        ):
            assert (ours is None) == (theirs is None)
            for name, value in (ours or {}).items():
                assert theirs is not None
                assert theirs[name] == value, name
    return len(one)


def test_unknown_race_has_no_rows() -> None:
    assert race_rows("nowhere") == ()


def test_sql_and_orm_read_the_same_in_every_phase(
    ada: Account, bob: Account, cleo: Account
) -> None:
    assert compare_rows(create_race([ada])) == 1
    race_id = start_race([ada, bob, cleo])
    assert compare_rows(race_id) == 3
    play_out(race_id, ada)
    assert compare_rows(race_id) == 3
    play_all(race_id, [bob, cleo])
    assert compare_rows(race_id) == 3
    race_rematch(account_id=ada.id, race_id=race_id, at=now())
    assert compare_rows(race_id) == 3
    assert race_rows(race_id)[0].race.rematch.seats == 3


def test_sql_and_orm_read_the_same_ghost(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    run = Run.objects.get(account=ada, race=race_id)
    asked = RaceTerms(ghost=run.id)
    made = race_make(account_id=bob.id, terms=asked, at=now())
    assert compare_rows(made["race_id"]) == 2


def test_missing_related_rows_need_no_query(
    ada: Account, bob: Account, django_assert_num_queries: Any
) -> None:
    race_id = start_race([ada, bob])
    with django_assert_num_queries(1):
        for one in race_rows(race_id):
            assert one.ghost is None
            assert getattr(one.race, "rematch", None) is None
            assert one.race.dungeon is not None
