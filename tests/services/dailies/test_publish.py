"""Drawing dailies and choosing their dungeons."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from game.contest.calendar import planned_band
from game.contest.drawing import MAX_CANDIDATES, candidate_seed
from game.models import Assessment, Daily, Dungeon
from game.rules import seal_of
from game.services.analysis.assessments import SeedAssessment
from game.services.core.errors import ServiceRefusal
from game.services.dailies import publish
from game.services.dailies.monitoring import daily_troubles
from game.services.dailies.publish import (
    dailies_choose_winnable,
    dailies_publish,
    dailies_to_choose,
    daily_choose_step,
    daily_choose_winnable,
    daily_find,
)
from game.services.maintenance.tick import tick
from game.services.runs.dungeons import seed_decrypt
from tests.fixtures.dailies import DAY, MORNING, assess_quickly

pytestmark = pytest.mark.django_db
DAYS = timedelta(days=1)
SECOND = timedelta(seconds=1)


def seals() -> list[tuple[date, str, str]]:
    rows = Daily.objects.order_by("on", "ruleset")
    return list(rows.values_list("on", "ruleset", "master_seal"))


def master_of(daily: Daily) -> str:
    return seed_decrypt(daily.id, daily.master_sealed)


def test_thirty_days_of_all_rulesets_are_drawn_ahead(quick: None) -> None:
    assert dailies_publish(at=MORNING) == 31 * 4
    before = seals()
    assert dailies_publish(at=MORNING) == 0
    assert dailies_publish(at=MORNING + DAYS) == 4
    assert seals()[: len(before)] == before
    for daily in Daily.objects.all()[:10]:
        assert seal_of(master_of(daily)) == daily.master_seal
        assert daily.planned == planned_band(daily.on)
        assert master_of(daily) not in str(Daily.objects.filter(id=daily.id).values())


def test_clock_changes_do_not_draw_a_day_twice(quick: None, one_ruleset: None) -> None:
    midnight = datetime(2027, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert dailies_publish(at=midnight) == 31
    assert dailies_publish(at=midnight + timedelta(seconds=1)) == 1
    assert dailies_publish(at=midnight) == 0
    assert dailies_publish(at=midnight - timedelta(seconds=1)) == 0
    assert dailies_publish(at=midnight + timedelta(seconds=1)) == 0
    days = [on for on, _, _ in seals()]
    assert days == [date(2027, 12, 31) + DAYS * n for n in range(32)]


def test_leap_day_has_a_daily(quick: None, one_ruleset: None) -> None:
    noon = datetime(2028, 2, 29, 12, tzinfo=UTC)
    daily = daily_find(on=noon.date(), ruleset="tavern-1", at=noon)
    assert daily.closes_at == datetime(2028, 3, 1, tzinfo=UTC)


def test_one_daily_per_date_and_ruleset(daily: Daily) -> None:
    twin = Daily.objects.get(id=daily.id)
    twin.pk, twin.dungeon = "twin", None
    twin.candidate = twin.chosen_at = None
    twin.choice = ""
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save(force_insert=True)


def test_first_candidate_as_planned_is_chosen(
    quick: None, one_ruleset: None, settings: Any
) -> None:
    settings.DAILY_CHOOSE_AHEAD_DAYS = 30
    dailies_publish(at=MORNING)
    due = dailies_to_choose(at=MORNING)
    assert len(due) == 31
    for daily_id in due:
        steps = 1
        while not daily_choose_step(daily_id, at=MORNING):
            steps += 1
        daily = Daily.objects.select_related("dungeon").get(id=daily_id)
        assert daily.dungeon is not None
        seeds = [candidate_seed(master_of(daily), n) for n in range(steps)]
        bands = [assess_quickly("", "", seed).band for seed in seeds]
        assert bands.index(daily.planned) == steps - 1 == daily.candidate
        assert (daily.choice, daily.dungeon.seal) == ("planned", seal_of(seeds[-1]))
        assert daily.dungeon.seed_given is False
        assert Assessment.objects.get(dungeon=daily.dungeon).band == daily.planned
    assert dailies_to_choose(at=MORNING) == []
    before = Dungeon.objects.count()
    assert daily_choose_step(due[0], at=MORNING) is True
    assert Dungeon.objects.count() == before


def test_first_winnable_candidate_is_chosen_if_none_is_as_planned(
    quick: None, one_ruleset: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def assess(ruleset: str, difficulty: str, seed: str) -> SeedAssessment:
        tried.append(seed)
        band = "medium" if planned_band(DAY) != "medium" else "hard"
        return SeedAssessment(len(tried) > 3, None, 0, 20, band, "quick")

    monkeypatch.setattr(publish, "seed_assess", assess)
    dailies_publish(at=MORNING)
    daily = Daily.objects.get(on=DAY)
    while not daily_choose_step(daily.id, at=MORNING):
        pass
    daily.refresh_from_db()
    assert (daily.choice, daily.candidate) == ("winnable", 3)
    assert len(tried) == MAX_CANDIDATES
    assert daily_choose_step(daily.id, at=MORNING)
    assert Assessment.objects.get().dungeon_id == daily.dungeon_id


def test_candidate_0_is_chosen_if_none_is_winnable(
    quick: None, one_ruleset: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "seed_is_winnable", lambda *_: False)
    dailies_publish(at=MORNING)
    daily = Daily.objects.get(on=DAY)
    assert daily_choose_winnable(daily.id, at=MORNING)
    assert not daily_choose_winnable(daily.id, at=MORNING)
    daily.refresh_from_db()
    assert (daily.choice, daily.candidate) == ("first", 0)


def test_daily_opening_within_ten_minutes_gets_a_dungeon(
    quick: None, one_ruleset: None
) -> None:
    dailies_publish(at=MORNING)
    assert dailies_choose_winnable(at=MORNING) == 1  # today
    midnight = datetime(2027, 3, 18, tzinfo=UTC)
    assert dailies_choose_winnable(at=midnight - timedelta(minutes=11)) == 0
    assert dailies_choose_winnable(at=midnight - timedelta(minutes=10)) == 1
    assert dailies_choose_winnable(at=midnight) == 0


def test_days_outside_the_drawn_range_are_not_found(daily: Daily) -> None:
    ahead = daily_find(on=DAY + 30 * DAYS, ruleset="tavern-1", at=MORNING)
    assert ahead.dungeon is None
    for on, ruleset in ((DAY + 31 * DAYS, "tavern-1"), (DAY - DAYS, "tavern-1")):
        with pytest.raises(ServiceRefusal) as refused:
            daily_find(on=on, ruleset=ruleset, at=MORNING)
        assert refused.value.code == "daily.not_found"
    with pytest.raises(ServiceRefusal):
        daily_find(on=DAY, ruleset="bound-1", at=MORNING)


def test_daily_troubles(daily: Daily) -> None:
    assert daily_troubles(at=MORNING) == []
    far = MORNING + 30 * DAYS
    troubles = daily_troubles(at=far)
    assert troubles[0] == {"trouble": "missing", "daily": "2027-04-17 tavern-1"}
    assert {t["trouble"] for t in troubles[1:]} == {"late"}
    settles = datetime(2027, 3, 18, 0, 45, tzinfo=UTC)
    assert daily_troubles(at=settles - timedelta(seconds=1)) == []
    assert daily_troubles(at=settles) == [
        {"trouble": "late", "daily": "2027-03-17 tavern-1"}
    ]


def test_new_site_has_no_troubles(quick: None) -> None:
    assert daily_troubles(at=MORNING) == []
    assert tick(at=MORNING)["dailies_log_troubles"] == 0
    assert Daily.objects.exclude(dungeon=None).count() == 4


def test_dungeon_is_no_longer_chosen_once_the_day_has_closed(
    daily: Daily, settings: Any
) -> None:
    settings.DAILY_CHOOSE_AHEAD_DAYS = 0
    assert daily.id in dailies_to_choose(at=daily.closes_at - SECOND)
    assert daily.id not in dailies_to_choose(at=daily.closes_at)


def test_choosing_starts_the_configured_days_before_the_opening(
    daily: Daily, settings: Any
) -> None:
    settings.DAILY_CHOOSE_AHEAD_DAYS = 3
    ahead = Daily.objects.get(on=DAY + 4 * DAYS)
    first = ahead.opens_at - 3 * DAYS
    assert ahead.id not in dailies_to_choose(at=first - SECOND)
    assert ahead.id in dailies_to_choose(at=first)


def test_daily_has_a_dungeon_from_its_opening_instant(daily: Daily) -> None:
    tomorrow = Daily.objects.get(on=DAY + DAYS)

    def found(at: datetime) -> Daily:
        return daily_find(on=tomorrow.on, ruleset="tavern-1", at=at)

    assert found(tomorrow.opens_at - SECOND).dungeon is None
    assert found(tomorrow.opens_at).dungeon is not None


def test_assessment_of_a_candidate_that_another_process_assessed_is_dropped(
    quick: None, one_ruleset: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    dailies_publish(at=MORNING)
    daily = Daily.objects.get(on=DAY)

    def assess(ruleset: str, difficulty: str, seed: str) -> SeedAssessment:
        Daily.objects.filter(id=daily.id).update(tried=5, first_winnable=2)
        band = "medium" if daily.planned != "medium" else "hard"
        return SeedAssessment(True, None, 0, 20, band, "quick")

    monkeypatch.setattr(publish, "seed_assess", assess)
    assert not daily_choose_step(daily.id, at=MORNING)
    daily.refresh_from_db()
    assert (daily.tried, daily.first_winnable) == (5, 2)
