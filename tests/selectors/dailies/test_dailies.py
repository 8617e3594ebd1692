"""The JSON of dailies: the archive, the coming days, streaks and years."""

from datetime import timedelta

import pytest

from game.models import Account, Daily, Run
from game.selectors.dailies.dailies import (
    dailies_ahead,
    dailies_past,
    player_counts,
    streak_show,
    year_show,
)
from game.services.dailies.attempts import daily_practice_start
from game.services.dailies.publish import daily_find
from game.services.dailies.settle import daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, give_up, member

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def test_daily_moves_from_ahead_to_the_archive_when_it_opens(daily: Daily) -> None:
    opens = Daily.objects.get(on=DAY + timedelta(days=1)).opens_at
    before = opens - SECOND
    past = dailies_past("tavern-1", before=None, limit=9, at=before)
    assert [one["date"] for one in past] == ["2027-03-17"]
    assert dailies_ahead("tavern-1", at=before)[0]["date"] == "2027-03-18"
    past = dailies_past("tavern-1", before=None, limit=9, at=opens)
    assert [one["date"] for one in past] == ["2027-03-18", "2027-03-17"]
    assert dailies_ahead("tavern-1", at=opens)[0]["date"] == "2027-03-19"


def test_archive_before_a_date_does_not_include_it(daily: Daily) -> None:
    at = MORNING + timedelta(days=2)
    found = dailies_past("tavern-1", before=DAY + timedelta(days=1), limit=9, at=at)
    assert [one["date"] for one in found] == ["2027-03-17"]


def test_practice_does_not_count_as_a_player(daily: Daily) -> None:
    eve = member("Eve")
    attempt(eve, chance=1)
    daily_settle(daily.id, at=SETTLES)
    daily_practice_start(account=eve, on=DAY, ruleset="tavern-1", at=SETTLES)
    assert player_counts([daily]) == {daily.id: 1}


def _played(eve: Account) -> None:
    attempt(eve, chance=1)


def _voided(eve: Account) -> None:
    run = attempt(eve, chance=1)
    Run.objects.filter(id=run.id).update(voided_at=MORNING)


def _unranked(eve: Account) -> None:
    run = attempt(eve, chance=1)
    Run.objects.filter(id=run.id).update(ranked=False)


def _no_card_faced(eve: Account) -> None:
    give_up(attempt(eve, chance=1, most=0), MORNING + timedelta(hours=1))


def _still_played(eve: Account) -> None:
    attempt(eve, chance=1, most=3)


@pytest.mark.parametrize(
    ("play", "current"),
    [
        (_played, 1),
        (_voided, 0),
        (_unranked, 0),
        (_no_card_faced, 0),
        (_still_played, 0),
    ],
)
def test_streak_counts_finished_ranked_runs_with_a_faced_card(
    daily: Daily, play: object, current: int
) -> None:
    eve = member("Eve")
    play(eve)  # type: ignore[operator]
    found = streak_show(eve.id, at=MORNING)
    assert (found["current"], found["played_today"]) == (current, current == 1)


def test_freeze_is_available_again_after_thirty_days(
    quick: None, one_ruleset: None
) -> None:
    eve = member("Eve")
    for day in (0, 2):  # the freeze is used on day 1
        on, at = DAY + timedelta(days=day), MORNING + timedelta(days=day)
        daily_find(on=on, ruleset="tavern-1", at=at)
        attempt(eve, chance=day, on=on, at=at)
    used = streak_show(eve.id, at=MORNING + timedelta(days=2))
    assert (used["current"], used["frozen_on"]) == (2, "2027-03-18")
    assert used["freeze_ready_on"] == "2027-04-17"
    on_the_day = streak_show(eve.id, at=MORNING + timedelta(days=31))
    assert on_the_day["freeze_ready_on"] is None


def test_year_has_the_attempts_of_that_year_only(daily: Daily) -> None:
    eve = member("Eve")
    attempt(eve, chance=1)
    found = year_show(eve.id, 2027, at=MORNING)
    assert [day["date"] for day in found["days"]] == ["2027-03-17"]
    assert year_show(eve.id, 2026, at=MORNING)["days"] == []
