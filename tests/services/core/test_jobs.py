"""The jobs of the tick: a failure is stored and does not stop the others."""

from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps

from game.models import Daily, Job
from game.selectors.core.jobs import jobs_show
from game.services.core.jobs import job_last_began, jobs_run
from game.services.maintenance.tick import JOBS, tick
from tests.fixtures.dailies import MORNING, SETTLES

pytestmark = pytest.mark.django_db


def broken(at: datetime) -> int:
    raise ValueError("no such luck")


def test_failed_job_does_not_stop_the_others() -> None:
    works = {"first": lambda _: 2, "broken": broken, "last": lambda _: 0}
    with pytest.raises(ExceptionGroup) as failed:
        jobs_run(works, at=MORNING)
    assert [type(error) for error in failed.value.exceptions] == [ValueError]
    later = MORNING + timedelta(seconds=15)
    with pytest.raises(ExceptionGroup):
        jobs_run(works, at=later)
    first, bad = Job.objects.get(name="first"), Job.objects.get(name="broken")
    assert (first.done, first.worked_at, first.failures) == (2, later, 0)
    assert (bad.failures, bad.failed_at) == (2, later)
    assert bad.failure == "ValueError: no such luck"
    assert job_last_began("broken") is None
    assert job_last_began("last") == later
    jobs_run({"broken": lambda _: 1}, at=later + timedelta(seconds=15))
    assert jobs_show(at=later + timedelta(seconds=15))["jobs"][0]["is_failing"] is False


def test_jobs_shown_to_staff(quick: None, one_ruleset: None) -> None:
    fresh = jobs_show(at=MORNING)
    assert (fresh["is_quiet"], fresh["lag_ms"], fresh["jobs"]) == (True, None, [])
    tick(at=MORNING)
    shown = jobs_show(at=MORNING + timedelta(seconds=20))
    assert (shown["is_quiet"], shown["lag_ms"]) == (False, 20_000)
    assert {job["name"] for job in shown["jobs"]} == set(JOBS)
    assert shown["due"]["days_drawn_ahead"] == shown["due"]["days_wanted_ahead"] == 30
    assert shown["due"]["dailies_to_choose"] == 30
    late = jobs_show(at=SETTLES + timedelta(minutes=11))
    assert late["is_quiet"] is True
    assert late["due"]["dailies_to_settle"] == 1
    assert late["due"]["settling_late_ms"] == 11 * 60_000


def test_second_tick_changes_nothing(daily: Daily) -> None:
    tick(at=SETTLES)
    again = tick(at=SETTLES)
    assert {name for name, done in again.items() if done} == set()


def test_stored_jobs_get_the_names_of_their_services() -> None:
    migration = import_module("game.migrations.0023_job_names")
    assert set(migration.NEW_NAMES.values()) <= set(JOBS)
    jobs_run({"turns_played": lambda _: 3, "runs_expired": lambda _: 0}, at=MORNING)
    jobs_run({"runs_expire": lambda _: 1}, at=MORNING)
    migration.rename(apps, None)
    done = dict(Job.objects.values_list("name", "done"))
    assert done == {"bot_moves_play": 3, "runs_expire": 1}
    assert job_last_began("bot_moves_play") == MORNING
    migration.restore(apps, None)
    assert Job.objects.filter(name="turns_played").exists()
