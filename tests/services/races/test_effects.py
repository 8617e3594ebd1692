"""The places of a race are computed from the stored runs."""

from datetime import timedelta

import pytest

from game.models import Account, Run
from game.selectors.races.loading import race_load
from game.services.races.effects import race_placings
from tests.fixtures.races import start_race

pytestmark = pytest.mark.django_db


def finish(
    race_id: str, account: Account, status: str, score: int, took_s: int
) -> None:
    """Store an ended run of that account."""
    run = Run.objects.get(race_id=race_id, account=account)
    run.status, run.score = status, score
    run.finished_at = run.started_at + timedelta(seconds=took_s)
    run.save()


def test_speed_places_cleared_runs_by_time_before_forfeits(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob, cleo], format="speed")
    finish(race_id, ada, "cleared", score=9, took_s=60)
    finish(race_id, bob, "cleared", score=1, took_s=30)
    finish(race_id, cleo, "forfeited", score=20, took_s=10)
    loaded = race_load(race_id)
    assert loaded is not None
    places = race_placings(loaded.race, list(loaded.entrants))
    assert places == {1: 2, 2: 1, 3: 3}
