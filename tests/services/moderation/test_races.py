"""Acts on races, and their effect on ratings, points, runs and events."""

from datetime import timedelta
from typing import Any

import pytest

from game.contest.race import COUNTDOWN
from game.contest.rating import INITIAL_SKILL, rate_race
from game.models import (
    Account,
    Act,
    Entrant,
    Notice,
    PointsLine,
    Race,
    Rating,
    RatingChange,
)
from game.selectors.races.leaver_penalty import leaver_penalty_show
from game.selectors.races.snapshots import Viewer
from game.services.boards.race_points import races_award_points
from game.services.boards.ratings import ratings_rebuild
from game.services.core.errors import Kind
from game.services.maintenance.invariants import breaches
from game.services.races.commands import race_forfeit
from game.services.races.timeouts import race_advance
from game.services.races.views import race_events_for
from tests.fixtures.moderation import do, do_confirmed, undo
from tests.fixtures.races import (
    create_paired_race,
    create_race,
    entrant,
    expect_refusal,
    member,
    now,
    play,
    play_out,
    read_race,
    start_race,
)
from tests.services.races.race_reducer import NOT_IN_EVENTS, apply_events

pytestmark = pytest.mark.django_db


def rated(*people: Account) -> str:
    """A rated race of these accounts that has run for 20 s."""
    at = now() - COUNTDOWN - timedelta(seconds=20)
    race_id = create_paired_race(list(people), at)
    race_advance(race_id, at=now())
    return race_id


def finished(first: Account, *others: Account) -> str:
    """A settled rated race that the first account won by forfeits of the others."""
    race_id = rated(first, *others)
    for one in others:
        at = now() - timedelta(seconds=10)
        race_forfeit(account_id=one.id, race_id=race_id, at=at)
    play_out(race_id, first)
    race_advance(race_id, at=now())
    return race_id


def ratings() -> dict[str, float]:
    return {row.account.name: row.rating for row in Rating.objects.all()}


def assert_invariants_hold() -> None:
    """Assert that no invariant is broken and that a rebuild gives the same ratings."""
    assert not [str(one) for one in breaches(at=now())]
    before = ratings()
    ratings_rebuild(at=now())
    assert ratings() == pytest.approx(before)


def assert_events_give_snapshot(race_id: str, snapshot: dict[str, Any]) -> None:
    """Assert that an old snapshot and the events since give the current snapshot."""
    events = race_events_for(race_id, snapshot["seq"], Viewer(None), now())
    wanted, made = read_race(race_id), apply_events(snapshot, events)
    for one in (wanted, made):
        for name in NOT_IN_EVENTS:
            one.pop(name, None)
    assert made == wanted


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


@pytest.fixture
def emil(db: None) -> Account:
    return member("Emil")


def test_held_race_is_played_but_not_settled(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = rated(dora, emil)
    before = read_race(race_id)
    act = do(mona, "hold_race", target=race_id)
    with expect_refusal("act.already"):
        do(mona, "hold_race", target=race_id)
    assert read_race(race_id)["phase"] == "running"
    play_out(race_id, dora)
    play_out(race_id, emil)
    assert read_race(race_id)["phase"] == "held"
    assert read_race(race_id)["seed"] is not None
    assert not RatingChange.objects.exists()
    assert_events_give_snapshot(race_id, before)
    held = read_race(race_id)
    undo(mona, act)
    assert read_race(race_id)["phase"] == "settled"
    assert RatingChange.objects.count() == 2
    assert_events_give_snapshot(race_id, held)
    assert_invariants_hold()


def test_settled_race_cannot_be_held(
    mona: Account, dora: Account, emil: Account
) -> None:
    with expect_refusal("act.race_phase"):
        do(mona, "hold_race", target=finished(dora, emil))


def test_void_race_changes_no_rating_until_restored(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = finished(dora, emil)
    races_award_points(at=now())
    after = ratings()
    assert PointsLine.objects.filter(source=race_id).count() == 2
    settled = read_race(race_id)
    act = do(mona, "void_race", target=race_id, reason="fault")
    assert read_race(race_id)["phase"] == "voided"
    assert after["Dora"] > 1550
    assert ratings() == pytest.approx({"Dora": 1500.0, "Emil": 1500.0})
    assert [one["rating_change"] for one in read_race(race_id)["entrants"]] == [0, 0]
    assert not PointsLine.objects.filter(source=race_id).exists()
    assert Race.objects.get().runs.filter(voided_at=None).count() == 0
    assert Notice.objects.count() == 2
    assert_events_give_snapshot(race_id, settled)
    assert_invariants_hold()
    voided = read_race(race_id)
    undo(mona, act)
    assert ratings() == pytest.approx(after)
    assert PointsLine.objects.filter(source=race_id).count() == 2
    assert Race.objects.get().runs.exclude(voided_at=None).count() == 0
    assert_events_give_snapshot(race_id, voided)
    assert_invariants_hold()


def test_voiding_ends_a_running_race(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = rated(dora, emil)
    before = read_race(race_id)
    act = do(mona, "void_race", target=race_id, reason="fault")
    shown = read_race(race_id)
    assert (shown["phase"], shown["seed"] is not None) == ("voided", True)
    assert not RatingChange.objects.exists()
    assert not Entrant.objects.filter(is_live=True).exists()
    assert_events_give_snapshot(race_id, before)
    undo(mona, act)
    assert read_race(race_id)["phase"] == "settled"
    assert_invariants_hold()


def test_open_race_cannot_be_voided(mona: Account, dora: Account) -> None:
    with expect_refusal("act.race_phase"):
        do(mona, "void_race", target=create_race([dora]))


def test_disqualified_entrant_is_rated_last(
    mona: Account, dora: Account, emil: Account
) -> None:
    fay = member("Fay")
    race_id = finished(dora, emil, fay)
    races_award_points(at=now())
    before, settled = ratings(), read_race(race_id)
    act = do(mona, "disqualify", dora, target=race_id)
    line = entrant(race_id, dora)
    assert (line["state"], line["place"]) == ("disqualified", None)
    placed = {
        one.account_id: one.place or 3 for one in Entrant.objects.order_by("seat")
    }
    wanted = rate_race([INITIAL_SKILL] * 3, list(placed.values()))
    rows = {row.account_id: row.rating for row in Rating.objects.all()}
    assert [rows[one] for one in placed] == pytest.approx(
        [skill.rating for skill in wanted]
    )
    assert not PointsLine.objects.filter(source=race_id, account=dora).exists()
    assert Race.objects.get().runs.exclude(voided_at=None).count() == 1
    assert_events_give_snapshot(race_id, settled)
    assert_invariants_hold()
    undo(mona, act)
    assert ratings() == pytest.approx(before)
    assert entrant(race_id, dora)["state"] != "disqualified"
    assert_invariants_hold()


def test_disqualification_ends_a_running_run(
    mona: Account, ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada)
    before = read_race(race_id)
    do(mona, "disqualify", ada, target=race_id)
    assert entrant(race_id, ada, bob)["state"] == "disqualified"
    assert read_race(race_id)["phase"] == "running"
    assert_events_give_snapshot(race_id, before)
    play_out(race_id, bob)
    assert read_race(race_id)["phase"] == "settled"
    assert entrant(race_id, bob)["place"] == 1


def test_entrant_disqualified_during_the_race_is_rated_last(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = rated(dora, emil)
    act = do(mona, "disqualify", dora, target=race_id)
    play_out(race_id, emil)
    race_advance(race_id, at=now())
    assert read_race(race_id)["phase"] == "settled"
    lines = RatingChange.objects.order_by("place").values_list("account__name", "place")
    assert list(lines) == [("Emil", 1), ("Dora", 2)]
    assert ratings()["Dora"] < 1500 < ratings()["Emil"]
    assert_invariants_hold()
    # Old ledger lines have place 0.
    RatingChange.objects.filter(account=dora).update(place=0)
    assert_invariants_hold()
    undo(mona, act)
    assert_invariants_hold()


def test_disqualification_and_voiding_cost_no_leaver_penalty(
    mona: Account, dora: Account, emil: Account
) -> None:
    first = rated(dora, emil)
    do(mona, "disqualify", dora, target=first)
    play_out(first, emil)
    second = rated(dora, emil)
    do(mona, "void_race", target=second, reason="fault")
    at = now()
    assert [leaver_penalty_show(one.id, at) for one in (dora, emil)] == [None, None]


def test_invalid_disqualifications_are_refused(
    mona: Account, ada: Account, bob: Account, dora: Account
) -> None:
    race_id = start_race([ada, bob])
    with expect_refusal("entrant.not_found", Kind.NOT_FOUND):
        do(mona, "disqualify", dora, target=race_id)
    do(mona, "disqualify", ada, target=race_id)
    with expect_refusal("act.already"):
        do(mona, "disqualify", ada, target=race_id)
    with expect_refusal("act.race_phase"):
        do(mona, "disqualify", ada, target=create_race([ada, dora]))


def test_cheat_mark_gives_back_lost_rating_until_undone(
    mona: Account, milo: Account, dora: Account, emil: Account
) -> None:
    races = [finished(dora, emil), finished(dora, emil), finished(emil, dora)]
    before = ratings()
    lost = _lost_to(dora, emil)
    assert lost > 100
    act = do_confirmed(mona, milo, "mark_cheat", dora)
    now_rated = ratings()
    assert now_rated["Emil"] == pytest.approx(before["Emil"] + lost)
    assert now_rated["Dora"] == pytest.approx(before["Dora"])
    # Points that Emil won against Dora are not taken back.
    assert set(act.corrections.values_list("race", "account")) == {
        (races[0], emil.id),
        (races[1], emil.id),
    }
    assert_invariants_hold()
    assert f"{round(lost):+d}" in Notice.objects.get(account=emil).words
    undo(mona, act)
    assert ratings() == pytest.approx(before)
    assert_invariants_hold()


def _lost_to(cheat: Account, other: Account) -> float:
    changes = RatingChange.objects.filter(account=other)
    steps = [one.rating_after - one.rating_before for one in changes]
    return -sum(step for step in steps if step < 0)


def test_undoing_one_of_two_acts_leaves_the_other(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = finished(dora, emil)
    out = do(mona, "disqualify", dora, target=race_id)
    void = do(mona, "void_race", target=race_id)
    undo(mona, out)
    assert ratings() == pytest.approx({"Dora": 1500.0, "Emil": 1500.0})
    assert Race.objects.get().runs.filter(voided_at=None).count() == 0
    undo(mona, void)
    assert RatingChange.objects.filter(act=None).count() == 2
    assert_invariants_hold()


def test_race_stays_held_while_another_act_holds_it(
    mona: Account, milo: Account, dora: Account, emil: Account
) -> None:
    race_id = rated(dora, emil)
    first = do(mona, "hold_race", target=race_id)
    second = Act.objects.create(
        kind="hold_race",
        state="in_force",
        target=race_id,
        by=milo,
        reason="other",
        made_at=now(),
        at=now(),
    )
    undo(mona, first)
    assert read_race(race_id)["held"]
    undo(milo, second)
    assert not read_race(race_id)["held"]
