"""Closing a score race early, from the stored presence of its entrants."""

from datetime import datetime, timedelta

import pytest

from game.models import Account, Entrant, Run
from game.services.races.early_close import race_close_early
from game.services.races.presence import presence_end, presence_refresh
from tests.fixtures.races import (
    backdate,
    entrant,
    expect_refusal,
    now,
    play,
    play_out,
    read_race,
    start_race,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SECOND = timedelta(seconds=1)


@pytest.fixture
def waiting(ada: Account, bob: Account, cleo: Account) -> tuple[str, datetime]:
    """A race that began five minutes ago: Ada has died, Bob made one move, Cleo none.

    All were present until two minutes ago; Ada still is. Returns its id and the time.
    """
    race_id = start_race([ada, bob, cleo])
    play(race_id, bob, "avoid")
    play_out(race_id, ada)
    backdate(race_id, timedelta(minutes=5))
    at = now()
    Entrant.objects.filter(race=race_id).update(seen_at=at - 300 * SECOND)
    for one in (ada, bob, cleo):
        presence_refresh([(race_id, one.id)], at=at - 240 * SECOND)
    for one in (bob, cleo):
        presence_end(race_id=race_id, account_id=one.id, at=at - 120 * SECOND)
    Run.objects.filter(race_id=race_id).update(moved_at=at - 200 * SECOND)
    return race_id, at


def close(race_id: str, account: Account, at: datetime) -> None:
    race_close_early(account_id=account.id, race_id=race_id, at=at)


def test_race_is_closed_and_settled_with_the_scores_so_far(
    ada: Account, bob: Account, cleo: Account, waiting: tuple[str, datetime]
) -> None:
    race_id, at = waiting
    close(race_id, ada, at)
    seen = read_race(race_id, ada)
    states = {one["player"]: one["state"] for one in seen["entrants"]}
    assert states == {ada.name: "died", bob.name: "timed_out", cleo.name: "no_show"}
    assert seen["phase"] == "settled"
    assert all(one["score"] is not None for one in seen["entrants"])
    assert entrant(race_id, ada)["place"] is not None
    with expect_refusal("race.wrong_phase"):
        close(race_id, ada, at)


@pytest.mark.parametrize("change", ["present", "left_lately", "moved", "closer_came"])
def test_race_is_not_closed_while_somebody_may_be_here(
    ada: Account, bob: Account, waiting: tuple[str, datetime], change: str
) -> None:
    race_id, at = waiting
    late = at - 59 * SECOND
    if change == "present":
        presence_refresh([(race_id, bob.id)], at=at)
    elif change == "left_lately":
        Entrant.objects.filter(race=race_id, account=bob).update(seen_at=late)
    elif change == "moved":
        Run.objects.filter(race=race_id, account=bob).update(moved_at=late)
    else:  # as after a fault of the server, when everybody was cut off
        presence_end(race_id=race_id, account_id=ada.id, at=at - 100 * SECOND)
        presence_refresh([(race_id, ada.id)], at=late)
    with expect_refusal("race.close_not_gone"):
        close(race_id, ada, at)
    assert read_race(race_id)["phase"] == "running"
    if change != "present":
        close(race_id, ada, late + 60 * SECOND)
        assert read_race(race_id)["phase"] == "settled"


def test_only_an_entrant_who_played_to_the_end_closes(
    bob: Account, waiting: tuple[str, datetime]
) -> None:
    race_id, at = waiting
    with expect_refusal("race.close_unfinished"):
        close(race_id, bob, at)


def test_speed_race_is_not_closed_early(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob], format="speed")
    play_out(race_id, ada)
    with expect_refusal("race.close_score_only"):
        close(race_id, ada, now())
