"""Points and records of settled races: which races count, and recomputed days."""

from datetime import datetime, timedelta

import pytest

from game.models import (
    Account,
    BoardEntry,
    Dungeon,
    Entrant,
    PointsLine,
    Race,
    Run,
)
from game.services.boards.leaderboards import boards_rebuild
from game.services.boards.race_points import (
    race_award_points,
    race_points_update,
    races_award_points,
)
from game.services.maintenance.invariants import points
from game.services.runs.dungeons import dungeon_create
from game.services.runs.runs import run_create
from tests.fixtures.dailies import MORNING, member, play_out
from tests.services.boards.test_points import on_board

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def settled_race(people: list[Account], at: datetime) -> Race:
    """Create a settled race of paired entrants; places are in the given order."""
    dungeon = dungeon_create(ruleset="tavern-1", origin=Dungeon.Origin.RACE, at=at)
    race = Race.objects.create(
        host=people[0],
        dungeon=dungeon,
        ruleset="tavern-1",
        difficulty="normal",
        format="score",
        visibility="public",
        seats=len(people),
        rated=True,
        is_paired=True,
        time_limit_s=600,
        made_at=at,
        changed_at=at,
        expires_at=at + timedelta(hours=1),
        starts_at=at,
        started_at=at,
        deadline_at=at + timedelta(minutes=10),
        closed_at=at + timedelta(minutes=9),
        settled_at=at + timedelta(minutes=9),
    )
    for place, account in enumerate(people, start=1):
        run = run_create(
            account=account,
            dungeon=dungeon,
            kind=Run.Kind.RACE,
            difficulty="normal",
            at=at,
            race=race,
        )
        Entrant.objects.create(
            race=race,
            account=account,
            seat=place,
            run=run,
            joined_at=at,
            seen_at=at,
            place=place,
        )
        play_out(run, chance=place, ends_at=at + timedelta(minutes=5))
    return race


def after(minutes: int) -> datetime:
    return MORNING + timedelta(minutes=minutes)


def points_of(account: Account) -> list[int]:
    """The account's points by race, in the order of settling."""
    order = Race.objects.order_by("settled_at", "id").values_list("id", flat=True)
    lines = dict(account.points.values_list("source", "points"))
    return [lines[race_id] for race_id in order if race_id in lines]


def test_paired_races_award_points_and_records_once() -> None:
    people = [member("Eve"), member("Fay"), member("Gil")]
    race = settled_race(people, MORNING)
    assert races_award_points(at=after(10)) == 1
    assert races_award_points(at=after(10)) == 0
    assert on_board("week") == {"Eve": 10, "Fay": 5, "Gil": 0}
    best = on_board("best")
    assert set(best) == {"Eve", "Fay", "Gil"}
    assert Run.objects.filter(race=race, counted_at=race.settled_at).count() == 3
    boards_rebuild()
    assert on_board("week") == {"Eve": 10, "Fay": 5, "Gil": 0}
    assert on_board("best") == best
    assert PointsLine.objects.count() == 3


@pytest.mark.parametrize(
    "change", [{"rated": False}, {"is_paired": False}, {"voided_at": MORNING}]
)
def test_other_races_award_nothing(change: dict[str, object]) -> None:
    """Also if they were counted before, under other rules."""
    race = settled_race([member(), member()], MORNING)
    Race.objects.filter(id=race.id).update(**change)
    assert races_award_points(at=after(10)) == 0
    Race.objects.filter(id=race.id).update(rated=True, is_paired=True, voided_at=None)
    assert races_award_points(at=after(10)) == 1
    Race.objects.filter(id=race.id).update(**change)
    if "voided_at" in change:  # a moderator's act voids the runs, too
        race.runs.update(voided_at=MORNING)
    boards_rebuild()
    assert not BoardEntry.objects.exists()
    assert not PointsLine.objects.exists()


def test_points_of_a_day_are_the_same_in_any_order() -> None:
    eve, fay = member("Eve"), member("Fay")
    races = [settled_race([eve, fay], after(20 * n)) for n in range(4)]
    race_award_points(races[2])
    race_award_points(races[0])
    assert races_award_points(at=after(200)) == 2
    assert Run.objects.filter(counted_at=None).count() == 0
    assert points_of(eve) == [5, 2, 1, 0]
    assert on_board("week") == {"Eve": 8, "Fay": 0}
    Race.objects.filter(id=races[0].id).update(voided_at=after(99))
    race_points_update(races[0])
    assert points_of(eve) == [5, 2, 1]
    Race.objects.filter(id=races[0].id).update(voided_at=None)
    race_points_update(races[0])
    assert points_of(eve) == [5, 2, 1, 0]
    boards_rebuild()
    assert points_of(eve) == [5, 2, 1, 0]
    assert on_board("season") == {"Eve": 8, "Fay": 0}


def test_next_day_begins_anew() -> None:
    eve, fay = member("Eve"), member("Fay")
    for at in (MORNING, after(20), MORNING + timedelta(days=1)):
        race_award_points(settled_race([eve, fay], at))
    assert points_of(eve) == [5, 2, 5]


def test_daily_limit_holds_for_one_account_only() -> None:
    eve, *others = [member() for _ in range(9)]
    for n, other in enumerate(others):
        race_award_points(settled_race([eve, other], after(20 * n)))
    assert sum(points_of(eve)) == 30
    race_award_points(settled_race([others[-1], eve], after(400)))
    assert points_of(others[-1]) == [0, 2]


def test_only_players_get_points_of_a_race() -> None:
    people = [member("Eve"), member("House"), member("Gil")]
    race = settled_race(people, MORNING)
    Entrant.objects.filter(race=race, account=people[1]).update(kind="house")
    assert races_award_points(at=after(10)) == 1
    assert on_board("week") == {"Eve": 5, "Gil": 0}
    assert set(on_board("best")) == {"Eve", "Gil"}


def test_voided_run_of_a_race_is_not_on_the_best_board() -> None:
    people = [member("Eve"), member("Fay")]
    race = settled_race(people, MORNING)
    Run.objects.filter(race=race, account=people[0]).update(voided_at=MORNING)
    races_award_points(at=after(10))
    assert set(on_board("best")) == {"Fay"}


def test_invariant_finds_points_that_the_races_do_not_give() -> None:
    eve, fay = member("Eve"), member("Fay")
    races = [settled_race([eve, fay], MORNING)]
    race_award_points(races[0])
    races.append(settled_race([eve, fay], after(20)))
    assert not list(points.breaches())  # that race waits for the tick
    race_award_points(races[1])
    assert not list(points.breaches())
    line = PointsLine.objects.get(source=races[1].id, account=eve)
    for change in ({"points": 5}, {"source": "nowhere"}):
        PointsLine.objects.filter(id=line.pk).update(**change)
        assert {one.invariant for one in points.breaches()} == {"I20"}
    line.save()
    assert not list(points.breaches())
    Race.objects.filter(id=races[0].id).update(is_paired=False)
    assert {one.invariant for one in points.breaches()} == {"I20"}
