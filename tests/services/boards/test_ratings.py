"""Ratings: changed once per rated race, rebuilt from the ledger."""

import pytest
from django.core.management import call_command

from game.contest.race import COUNTDOWN
from game.contest.rating import INITIAL_SKILL, rate_race
from game.models import Entrant, Race, Rating, RatingChange
from game.services.boards.ratings import race_rate, ratings_rebuild
from game.services.races.effects import race_placings
from game.services.races.timeouts import race_advance, races_advance
from tests.fixtures.races import (
    create_paired_race,
    entrant,
    member,
    now,
    play,
    play_all,
    play_out,
    read_race,
    start_race,
)

pytestmark = pytest.mark.django_db


def rated_race(*people, **asked) -> str:
    race_id = create_paired_race(list(people), now() - COUNTDOWN, **asked)
    race_advance(race_id, at=now())
    return race_id


def test_rated_race_changes_ratings_once() -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil)
    assert Entrant.objects.filter(is_live=True).count() == 2
    play(race_id, dora, "avoid")
    play_out(race_id, dora)
    # Dora's run is over, so another rated race is allowed.
    assert not Entrant.objects.get(account=dora).is_live
    play_out(race_id, emil)
    assert RatingChange.objects.filter(race_id=race_id).count() == 2
    placed = {one.account_id: one.place or 0 for one in Entrant.objects.all()}
    first, second = rate_race(
        [INITIAL_SKILL, INITIAL_SKILL], [placed[dora.id], placed[emil.id]]
    )
    for account, skill in ((dora, first), (emil, second)):
        row = Rating.objects.get(account=account)
        assert (row.rating, row.deviation, row.volatility) == skill
        assert (row.pool, row.races) == ("live", 1)
    assert races_advance(at=now()) == 0
    Race.objects.filter(id=race_id).update(due_at=now())
    assert races_advance(at=now()) == 0
    assert RatingChange.objects.count() == 2


def test_race_shows_the_rating_change() -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil)
    assert entrant(race_id, dora)["rating_before"] is None
    play_all(race_id, [dora, emil])
    shown = entrant(race_id, dora)
    change = RatingChange.objects.get(account=dora)
    assert shown["rating_before"] == 1500
    assert shown["rating_change"] == round(change.rating_after) - 1500


def test_unrated_race_changes_no_rating(ada, bob) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    assert not Rating.objects.exists()
    assert {one["place"] for one in read_race(race_id)["entrants"]} <= {1, 2}


def test_bots_are_rated_among_themselves() -> None:
    rob, mel = member("Rob", is_bot=True), member("Mel", is_bot=True)
    race_id = rated_race(rob, mel)
    play_all(race_id, [rob, mel])
    assert set(Rating.objects.values_list("pool", flat=True)) == {"bot"}


def test_ledger_rows_cannot_be_changed() -> None:
    dora, emil = member("Dora"), member("Emil")
    play_all(rated_race(dora, emil), [dora, emil])
    change = RatingChange.objects.first()
    assert change is not None
    with pytest.raises(TypeError):
        change.save()


def test_ratings_rebuild(capsys) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    for _ in range(2):
        race_id = rated_race(dora, emil, fay)
        play(race_id, fay, "avoid")
        play_all(race_id, [dora, emil, fay])
    right = sorted(Rating.objects.values_list("account", "rating", "races"))
    assert ratings_rebuild(at=now()) == (3, 0)
    Rating.objects.filter(account=dora).update(rating=3000)
    Rating.objects.filter(account=emil).delete()
    Rating.objects.create(
        account=fay,
        ruleset="flee-1",
        pool="live",
        **INITIAL_SKILL._asdict(),
        changed_at=now(),
    )
    call_command("ratings_rebuild")
    assert "3 ratings, 3 corrected." in capsys.readouterr().out
    assert sorted(Rating.objects.values_list("account", "rating", "races")) == right


def test_places_of_a_settled_race() -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil)
    play_all(race_id, [dora, emil])
    rows = list(Entrant.objects.filter(race_id=race_id).select_related("run"))
    race = Race.objects.get(id=race_id)
    assert race_placings(race, rows) == {one.seat: one.place for one in rows}


def test_disqualified_entrant_is_rated_last() -> None:
    """Although their result was the best: they have no place of their own."""
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    race_id = rated_race(dora, emil, fay)
    race = Race.objects.get(id=race_id)
    entrants = list(Entrant.objects.filter(race=race).select_related("account"))
    places = {dora.id: None, emil.id: 1, fay.id: 2}
    for one in entrants:
        one.place = places[one.account_id]
    race_rate(race, entrants, at=now())
    rated = dict(RatingChange.objects.values_list("account_id", "place"))
    assert rated == {dora.id: 3, emil.id: 1, fay.id: 2}
    after = dict(Rating.objects.values_list("account_id", "rating"))
    assert after[emil.id] > 1500 > after[dora.id]
    assert after[fay.id] > after[dora.id]
