"""A race read by the prepared statement and by the query set: the same rows."""

from typing import Any

import pytest
from django.db import models

from game.models import Account, Entrant, Run
from game.selectors.races.loading import race_load, race_rows_by_orm
from game.services.races.create import RaceTerms, race_make, race_rematch
from tests.fixtures.races import begun, now, play_all, play_out, race_of

pytestmark = pytest.mark.django_db


def race_rows(race_id: str) -> tuple[Entrant, ...]:
    """The entrants as the site reads them."""
    table = race_load(race_id)
    return table.entrants if table else ()


def facts(row: models.Model | None) -> dict[str, Any] | None:
    """What was fetched of a row; never a further statement."""
    if row is None:
        return None
    return {name: value for name, value in vars(row).items() if name != "_state"}


def whole(one: Entrant) -> list[dict[str, Any] | None]:
    """The entrant and all that hangs on him."""
    race, ghost = one.race, one.ghost
    hanging = (one, race, race.dungeon, getattr(race, "rematch", None), one.account)
    runs = (one.run, ghost, ghost and ghost.account)
    return [facts(row) for row in (*hanging, *runs)]


def alike(race_id: str) -> int:
    """Both readings of a race hold the same, JSON apart; how many entrants."""
    one, two = race_rows(race_id), list(race_rows_by_orm(race_id))
    assert len(one) == len(two)
    for mine, known in zip(one, two, strict=True):
        for ours, theirs in zip(whole(mine), whole(known), strict=True):
            assert (ours is None) == (theirs is None)
            for name, value in (ours or {}).items():
                assert theirs is not None
                assert theirs[name] == value, name
    return len(one)


def test_no_race() -> None:
    assert race_rows("nowhere") == ()


def test_a_race_in_every_phase(ada: Account, bob: Account, cleo: Account) -> None:
    assert alike(race_of([ada])) == 1
    race_id = begun([ada, bob, cleo])
    assert alike(race_id) == 3
    play_out(race_id, ada)
    assert alike(race_id) == 3
    play_all(race_id, [bob, cleo])
    assert alike(race_id) == 3
    race_rematch(account_id=ada.id, race_id=race_id, at=now())
    assert alike(race_id) == 3
    assert race_rows(race_id)[0].race.rematch.seats == 3


def test_a_ghost_and_his_player(ada: Account, bob: Account) -> None:
    race_id = begun([ada, bob])
    play_all(race_id, [ada, bob])
    run = Run.objects.get(account=ada, race=race_id)
    asked = RaceTerms(ghost=run.id)
    made = race_make(account_id=bob.id, terms=asked, at=now())
    assert alike(made["race_id"]) == 2


def test_what_is_absent_costs_no_statement(
    ada: Account, bob: Account, django_assert_num_queries: Any
) -> None:
    race_id = begun([ada, bob])
    with django_assert_num_queries(1):
        for one in race_rows(race_id):
            assert one.ghost is None
            assert getattr(one.race, "rematch", None) is None
            assert one.race.dungeon is not None
