"""Rated races: their size, members of one pool, no linked accounts, one at a time."""

import pytest
from django.db import IntegrityError

from game.models import Account, Entrant, Race
from game.services.accounts.browsers import browser_record
from game.services.core.errors import Kind
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_start,
)
from game.services.races.create import RaceTerms, race_make, race_rematch
from tests.fixtures.races import (
    create_paired_race,
    create_race,
    expect_refusal,
    member,
    now,
    play_all,
    read_race,
)
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db


def test_rated_races_need_registered_players_of_one_pool(
    ada: Account, db: None
) -> None:
    dora, rob = member("Dora"), member("Rob", is_bot=True)
    with expect_refusal("race.rated_needs_account", Kind.FORBIDDEN):
        race_make(account_id=ada.id, terms=RaceTerms(rated=True), at=now())
    with expect_refusal("race.rated_with_house"):
        race_make(account_id=dora.id, terms=RaceTerms(rated=True, house="x"), at=now())
    race_id = create_race([dora], rated=True)
    with expect_refusal("race.rated_needs_account", Kind.FORBIDDEN):
        race_join(account_id=ada.id, race_id=race_id, at=now())
    with expect_refusal("race.rated_one_pool"):
        race_join(account_id=rob.id, race_id=race_id, at=now())


def test_account_has_one_live_rated_race(db: None) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    first = create_race([dora, emil], rated=True)
    second = create_race([fay, dora], rated=True)
    race_ready(account_id=emil.id, race_id=first, at=now())
    race_start(account_id=dora.id, race_id=first, at=now())
    with expect_refusal("race.one_rated"):
        race_ready(account_id=dora.id, race_id=second, at=now())
    race_ready(account_id=fay.id, race_id=second, at=now())
    with pytest.raises(IntegrityError):
        Entrant.objects.filter(account=dora).update(is_live=True)


def test_start_leaves_out_an_entrant_of_another_live_rated_race(db: None) -> None:
    dora, emil, fay = map(member, ("Dora", "Emil", "Fay"))
    second = create_race([fay, dora], rated=True)
    race_ready(account_id=dora.id, race_id=second, at=now())
    first = create_race([dora, emil], rated=True)
    race_ready(account_id=emil.id, race_id=first, at=now())
    race_start(account_id=dora.id, race_id=first, at=now())
    with expect_refusal("race.too_few"):
        race_start(account_id=fay.id, race_id=second, at=now())


def test_rated_start_needs_the_other_to_be_ready(db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = create_race([dora, emil], rated=True)
    with expect_refusal("race.too_few"):
        race_start(account_id=dora.id, race_id=race_id, at=now())


def test_larger_rated_races_are_only_paired(db: None) -> None:
    people = [member(name) for name in ("Dora", "Emil", "Fay")]
    with expect_refusal("race.rated_two_seats"):
        create_race(people, rated=True, seats=3)
    # An old race, created when a player could create larger ones.
    race_id = create_race(people, seats=3)
    Race.objects.filter(id=race_id).update(rated=True)
    for one in people[1:]:
        race_ready(account_id=one.id, race_id=race_id, at=now())
    with expect_refusal("race.rated_two_seats"):
        race_start(account_id=people[0].id, race_id=race_id, at=now())
    race_id = create_paired_race(people)
    assert (read_race(race_id)["gives_points"], read_race(race_id)["seats"]) == (
        True,
        3,
    )


def test_rematch_of_a_paired_race_gives_no_points(db: None) -> None:
    dora, emil, fay = map(member, ("Dora", "Emil", "Fay"))
    for people in ([dora, emil], [dora, emil, fay]):
        race_id = rated_race(*people)
        play_all(race_id, people)
        made = race_rematch(account_id=dora.id, race_id=race_id, at=now())
        shown = read_race(made["race_id"])
        assert (shown["rated"], shown["gives_points"]) == (len(people) == 2, False)


def use_one_browser(*people: Account) -> None:
    for one in people:
        browser_record(one.id, address="10.0.0.1", agent="Browser", at=now())


def test_linked_accounts_do_not_join_a_rated_race_of_each_other(db: None) -> None:
    dora, emil, fay = map(member, ("Dora", "Emil", "Fay"))
    use_one_browser(dora, emil)
    race_id = create_race([dora], rated=True)
    with expect_refusal("race.linked_accounts"):
        race_join(account_id=emil.id, race_id=race_id, at=now())
    race_join(account_id=fay.id, race_id=race_id, at=now())
    unrated = create_race([dora, emil])
    assert len(read_race(unrated)["entrants"]) == 2


def test_accounts_linked_after_joining_do_not_start(db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = create_race([dora, emil], rated=True)
    use_one_browser(dora, emil)
    race_ready(account_id=emil.id, race_id=race_id, at=now())
    with expect_refusal("race.linked_accounts"):
        race_start(account_id=dora.id, race_id=race_id, at=now())
    with expect_refusal("race.linked_accounts"):
        race_ready(account_id=dora.id, race_id=race_id, at=now())
    assert read_race(race_id)["phase"] == "open"
    race_leave(account_id=emil.id, race_id=race_id, at=now())


def test_accounts_linked_during_the_race_play_on_without_a_rematch(db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil)
    use_one_browser(dora, emil)
    race_forfeit(account_id=emil.id, race_id=race_id, at=now())
    play_all(race_id, [dora, emil])
    with expect_refusal("race.linked_accounts"):
        race_rematch(account_id=dora.id, race_id=race_id, at=now())
