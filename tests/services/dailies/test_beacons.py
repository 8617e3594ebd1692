"""Public random values: verified, waited for, used, or done without."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from game.contest.beacon import BEACON_LEAD, QUICKNET, round_at
from game.contest.drawing import candidate_seed, day_key
from game.models import BeaconRound, Daily
from game.rules import seal_of
from game.services.core import outgoing
from game.services.core.errors import ServiceRefusal
from game.services.dailies.beacons import (
    beacon_is_valid,
    beacon_round_store,
    beacon_rounds_due,
)
from game.services.dailies.publish import (
    dailies_choose_winnable,
    dailies_publish,
    dailies_to_choose,
    daily_choose_step,
    daily_find,
)
from game.services.maintenance.invariants import breaches
from game.services.runs.dungeons import seed_decrypt
from game.tasks.beacons import fetch
from tests.contest.test_beacon import CASES
from tests.fixtures.beacons import NETWORK, signature_of
from tests.fixtures.dailies import MORNING

pytestmark = pytest.mark.django_db
TOMORROW = datetime(2027, 3, 18, tzinfo=UTC)
DUE = TOMORROW - BEACON_LEAD
MINUTE = timedelta(minutes=1)
ROUND = round_at(NETWORK, DUE)


@pytest.mark.parametrize("case", CASES["rounds"], ids=lambda case: case["round"])
def test_recorded_rounds_of_quicknet_are_valid(case: dict[str, Any]) -> None:
    number, signature = case["round"], case["signature"]
    assert beacon_is_valid(QUICKNET, number, signature)
    assert not beacon_is_valid(QUICKNET, number + 1, signature)
    assert not beacon_is_valid(NETWORK, number, signature)
    last = "0" if signature[-1] != "0" else "1"
    for wrong in ("", "x", signature[:-2], signature[:-1] + last, "c0" + "00" * 47):
        assert not beacon_is_valid(QUICKNET, number, wrong), wrong


@pytest.fixture
def tomorrow(
    db: None, quick: None, one_ruleset: None, beacon: Callable[[int], str]
) -> Daily:
    """The daily of tomorrow, drawn while rounds are named."""
    dailies_publish(at=MORNING)
    assert dailies_choose_winnable(at=MORNING) == 1  # today, which names no round
    return Daily.objects.get(on=TOMORROW.date())


def choose(daily: Daily, at: datetime) -> Daily:
    while not daily_choose_step(daily.id, at=at):
        pass
    return Daily.objects.select_related("dungeon").get(id=daily.id)


def verified_seal(daily: Daily) -> str:
    """The seal of the dungeon that the published rule gives."""
    master = seed_decrypt(daily.id, daily.master_sealed)
    key = day_key(master, daily.beacon_round, daily.beacon_signature)
    assert daily.candidate is not None
    return seal_of(candidate_seed(key, daily.candidate))


def test_value_decides_the_dungeon(tomorrow: Daily, settings: Any) -> None:
    settings.DAILY_CHOOSE_AHEAD_DAYS = 30
    assert tomorrow.beacon_round == ROUND
    assert tomorrow.id not in dailies_to_choose(at=DUE + MINUTE)
    assert choose(tomorrow, DUE + MINUTE).dungeon is None  # waits for it
    assert beacon_round_store(number=ROUND, signature=signature_of(ROUND), at=DUE)
    assert tomorrow.id in dailies_to_choose(at=DUE + MINUTE)
    daily = choose(tomorrow, DUE + MINUTE)
    assert daily.dungeon is not None
    assert (daily.choice, daily.beacon_signature) == ("planned", signature_of(ROUND))
    assert daily.dungeon.seal == verified_seal(daily)
    daily.beacon_signature = ""
    assert daily.dungeon.seal != verified_seal(daily)
    assert list(breaches(at=DUE)) == []


def test_daily_opens_in_time_without_the_value(tomorrow: Daily) -> None:
    assert dailies_choose_winnable(at=TOMORROW - 11 * MINUTE) == 0
    assert dailies_choose_winnable(at=TOMORROW - 10 * MINUTE) == 1
    daily = daily_find(on=tomorrow.on, ruleset="tavern-1", at=TOMORROW)
    assert daily.dungeon is not None
    assert (daily.choice, daily.beacon_signature) == ("winnable", "")
    assert daily.dungeon.seal == verified_seal(daily)
    # A value that comes later changes nothing.
    beacon_round_store(number=ROUND, signature=signature_of(ROUND), at=TOMORROW)
    assert choose(tomorrow, TOMORROW).dungeon == daily.dungeon
    assert beacon_rounds_due(at=TOMORROW) == []


def test_first_winnable_uses_the_value_too(tomorrow: Daily) -> None:
    beacon_round_store(number=ROUND, signature=signature_of(ROUND), at=DUE)
    assert dailies_choose_winnable(at=TOMORROW - 10 * MINUTE) == 1
    daily = Daily.objects.select_related("dungeon").get(id=tomorrow.id)
    assert daily.dungeon is not None
    assert (daily.choice, daily.beacon_signature) == ("winnable", signature_of(ROUND))
    assert daily.dungeon.seal == verified_seal(daily)


def test_only_unpublished_rounds_are_named(tomorrow: Daily) -> None:
    today = Daily.objects.get(on=MORNING.date())
    assert today.beacon_round is None
    named = Daily.objects.exclude(beacon_round=None)
    assert named.count() == 30
    assert beacon_rounds_due(at=DUE - MINUTE) == []
    assert beacon_rounds_due(at=DUE + MINUTE) == [ROUND]


def test_no_round_is_named_by_default(quick: None, one_ruleset: None) -> None:
    dailies_publish(at=MORNING)
    assert not Daily.objects.exclude(beacon_round=None).exists()


def test_forged_value_is_refused(tomorrow: Daily) -> None:
    with pytest.raises(ServiceRefusal) as refused:
        beacon_round_store(number=ROUND, signature=signature_of(ROUND + 1), at=DUE)
    assert refused.value.code == "beacon.not_valid"
    assert not BeaconRound.objects.exists()


@pytest.mark.parametrize(
    ("answer", "stored"),
    [
        (json.dumps({"round": ROUND, "signature": signature_of(ROUND)}), 1),
        (json.dumps({"round": ROUND, "signature": signature_of(ROUND + 1)}), 0),
        ('{"signature": 7}', 0),
        ("[]", 0),
        ("<html>", 0),
    ],
)
def test_worker_fetches_what_is_due(
    tomorrow: Daily, monkeypatch: pytest.MonkeyPatch, answer: str, stored: int
) -> None:
    asked: list[str] = []

    def get(url: str) -> str:
        asked.append(url)
        return answer

    monkeypatch.setattr("game.tasks.beacons.outgoing_get", get)
    with time_machine.travel(DUE - MINUTE, tick=False):
        assert (fetch(), asked) == (0, [])
    with time_machine.travel(DUE + MINUTE, tick=False):
        assert fetch() == stored
        assert fetch() == 0
    url = f"https://beacon.example/{NETWORK.chain}/public/{ROUND}"
    assert asked == [url] * (1 if stored else 2)


@pytest.mark.parametrize("url", ["", "manual"])
def test_worker_calls_nobody_by_default(
    tomorrow: Daily, settings: Any, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    settings.BEACON_URL = url
    monkeypatch.setattr("game.tasks.beacons.outgoing_get", pytest.fail)
    with time_machine.travel(DUE + MINUTE, tick=False):
        assert fetch() == 0


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.example", "a.example"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(outgoing.OutgoingError, match="not an http"):
        outgoing.outgoing_get(url)
