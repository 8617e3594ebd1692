"""Shares of attempts: marks, images, and who may see them."""

import os
from datetime import timedelta
from typing import Any

import pytest

from game.models import Account, Daily, Run
from game.services.core.errors import ServiceRefusal
from game.services.dailies.attempts import daily_practice_start
from game.services.dailies.settle import daily_settle
from game.services.dailies.share import Share, share_find
from game.services.dailies.share_image import share_image_get, share_images_prune
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, give_up, member

pytestmark = pytest.mark.django_db


def share_of(run: Run) -> Share:
    return share_find(on=DAY, ruleset="tavern-1", run_id=run.id, at=MORNING)


def test_marks_show_what_each_room_cost(daily: Daily) -> None:
    """Avoided, 9, 6, 0, 2, 7, avoided, died."""
    run = attempt(member("Eve"), chance=140)
    assert share_of(run).marks == "○◆▪·▪◆○✕"


def test_run_given_up_at_the_start_of_a_room_has_no_mark_for_it(daily: Daily) -> None:
    run = attempt(member("Eve"), chance=140, most=4)
    give_up(run, MORNING + timedelta(hours=1))
    assert share_of(run).marks == "○◆"
    half_a_room = attempt(member("Fay"), chance=140, most=5)
    give_up(half_a_room, MORNING + timedelta(hours=1))
    assert share_of(half_a_room).marks == "○◆✕"


def _still_played(eve: Account) -> Run:
    return attempt(eve, chance=1, most=3)


def _practice(eve: Account) -> Run:
    daily = attempt(eve, chance=1).daily
    assert daily is not None
    daily_settle(daily.id, at=SETTLES)
    run = daily_practice_start(account=eve, on=DAY, ruleset="tavern-1", at=SETTLES)
    give_up(run, SETTLES + timedelta(hours=2))
    return run


@pytest.mark.parametrize("make", [_still_played, _practice])
def test_only_finished_attempts_are_shared(daily: Daily, make: Any) -> None:
    run = make(member("Eve"))
    with pytest.raises(ServiceRefusal) as refused:
        share_of(run)
    assert refused.value.code == "run.not_found"


def test_images_are_deleted_after_thirty_days(
    daily: Daily, settings: Any, tmp_path: Any
) -> None:
    settings.VAR = tmp_path
    share_image_get(share_of(attempt(member("Eve"), chance=1)))
    (file,) = (tmp_path / "pictures").glob("*.png")
    drawn = MORNING.timestamp()
    os.utime(file, (drawn, drawn))
    assert share_images_prune(at=MORNING + timedelta(days=30)) == 0
    assert share_images_prune(at=MORNING + timedelta(days=30, seconds=1)) == 1
    assert not file.exists()
