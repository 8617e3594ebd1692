"""Rated races: members of one pool, one race at a time, entrants who are ready."""

import pytest
from django.db import IntegrityError

from game.models import Account, Entrant
from game.services.core.errors import Kind
from game.services.races.commands import race_join, race_ready, race_start
from game.services.races.create import RaceTerms, race_make
from tests.fixtures.races import member, now, race_of, refused, see

pytestmark = pytest.mark.django_db


def test_rated_races_need_registered_players_of_one_pool(
    ada: Account, db: None
) -> None:
    dora, rob = member("Dora"), member("Rob", is_bot=True)
    with refused("race.rated_needs_account", Kind.FORBIDDEN):
        race_make(account_id=ada.id, terms=RaceTerms(rated=True), at=now())
    with refused("race.rated_with_house"):
        race_make(account_id=dora.id, terms=RaceTerms(rated=True, house="x"), at=now())
    race_id = race_of([dora], rated=True)
    with refused("race.rated_needs_account", Kind.FORBIDDEN):
        race_join(account_id=ada.id, race_id=race_id, at=now())
    with refused("race.rated_one_pool"):
        race_join(account_id=rob.id, race_id=race_id, at=now())


def test_account_has_one_live_rated_race(db: None) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    first = race_of([dora, emil], rated=True)
    second = race_of([fay, dora], rated=True)
    race_ready(account_id=emil.id, race_id=first, at=now())
    race_start(account_id=dora.id, race_id=first, at=now())
    with refused("race.one_rated"):
        race_ready(account_id=dora.id, race_id=second, at=now())
    race_ready(account_id=fay.id, race_id=second, at=now())
    with pytest.raises(IntegrityError):
        Entrant.objects.filter(account=dora).update(is_rated_live=True)


def test_start_leaves_out_entrants_of_another_live_rated_race(db: None) -> None:
    dora, emil, fay, gus = map(member, ("Dora", "Emil", "Fay", "Gus"))
    second = race_of([fay, gus, dora], rated=True)
    race_ready(account_id=dora.id, race_id=second, at=now())
    race_ready(account_id=gus.id, race_id=second, at=now())
    first = race_of([dora, emil], rated=True)
    race_ready(account_id=emil.id, race_id=first, at=now())
    race_start(account_id=dora.id, race_id=first, at=now())
    race_ready(account_id=fay.id, race_id=second, at=now())
    seen = see(second)
    assert seen["phase"] == "countdown"
    assert [one["player"] for one in seen["entrants"]] == ["Fay", "Gus"]


def test_rated_start_leaves_out_entrants_who_are_not_ready(db: None) -> None:
    dora, emil, fay = map(member, ("Dora", "Emil", "Fay"))
    race_id = race_of([dora, emil, fay], rated=True)
    with refused("race.too_few"):
        race_start(account_id=dora.id, race_id=race_id, at=now())
    race_ready(account_id=fay.id, race_id=race_id, at=now())
    race_start(account_id=dora.id, race_id=race_id, at=now())
    seen = see(race_id)
    assert [one["player"] for one in seen["entrants"]] == ["Dora", "Fay"]
