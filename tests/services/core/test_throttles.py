"""Throttles: exact in one window, atomic, and never open because a server is down."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.db import connections

from game.models import Throttle
from game.services.core import throttles
from game.services.core.errors import ServiceRefusal
from game.services.core.throttles import Bucket, Limit, subject_of, throttle
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LIMIT = Limit("test", 3, 60)


@pytest.fixture(autouse=True)
def _on(settings: Any) -> None:
    settings.THROTTLE_SCALE = 1.0


@pytest.fixture
def in_database(settings: Any) -> None:
    settings.REDIS_URL = ""


def refused(subject: str, **shift: float) -> dict[str, Any]:
    with pytest.raises(ServiceRefusal) as no:
        throttle(LIMIT, subject, at=NOON + timedelta(**shift))
    assert no.value.code == "throttled"
    return dict(no.value.detail)


@pytest.mark.usefixtures("in_database")
def test_three_and_no_fourth_until_the_window_ends() -> None:
    for _ in range(3):
        throttle(LIMIT, "ada", at=NOON)
    assert refused("ada", seconds=20) == {
        "limit": "test: 3 in 60 s",
        "retry_after_s": 41,
    }
    throttle(LIMIT, "bob", at=NOON)
    assert refused("ada", seconds=59)["retry_after_s"] == 2
    throttle(LIMIT, "ada", at=NOON + timedelta(seconds=60))
    assert Throttle.objects.get(key="throttle:test:ada").count == 1


@pytest.mark.usefixtures("in_database")
def test_scaled_and_switched_off(settings: Any) -> None:
    settings.THROTTLE_SCALE = 2.0
    for _ in range(6):
        throttle(LIMIT, "ada", at=NOON)
    refused("ada")
    settings.THROTTLE_SCALE = 0
    throttle(LIMIT, "ada", at=NOON)


class Counter:
    """A Valkey that counts in a dict, or does not answer."""

    def __init__(self, *, answers: bool) -> None:
        self.answers, self.asked, self.counts = answers, 0, dict[str, int]()

    def eval(self, _script: str, _keys: int, key: str, window: int) -> list[int]:
        self.asked += 1
        if not self.answers:
            raise redis.ConnectionError
        self.counts[key] = self.counts.get(key, 0) + 1
        return [self.counts[key], window]


def valkey(monkeypatch: pytest.MonkeyPatch, settings: Any, *, answers: bool) -> Counter:
    counter = Counter(answers=answers)
    settings.REDIS_URL = "redis://127.0.0.1:1"
    monkeypatch.setattr(throttles, "_client", lambda _: counter)
    monkeypatch.setattr(throttles, "_valkey", throttles._Valkey())
    return counter


def test_counted_by_valkey(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    valkey(monkeypatch, settings, answers=True)
    for _ in range(3):
        throttle(LIMIT, "ada", at=NOON)
    assert refused("ada")["retry_after_s"] == 61
    assert not Throttle.objects.exists()


def test_without_valkey_the_database_counts(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    counter = valkey(monkeypatch, settings, answers=False)
    for _ in range(3):
        throttle(LIMIT, "ada", at=NOON)
    refused("ada")
    assert counter.asked == 1  # and then left alone for a while
    assert Throttle.objects.get().count == 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("in_database")
def test_forty_at_once_are_forty() -> None:
    def once(_: int) -> bool:
        try:
            throttle(Limit("test", 10, 60), "ada", at=NOON)
        except ServiceRefusal:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(once, range(40))) == 10
    assert Throttle.objects.get().count == 40


def test_a_subject_tells_nothing() -> None:
    assert "ada" not in subject_of("ada@example.org")
    assert subject_of("\ud800") != subject_of("\ud801")


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("game.services.core.throttles.time.monotonic", lambda: now[0])
    bucket = Bucket("move.account", most_subjects=3)
    for _ in range(4):
        bucket.take("ada", rate=2, burst=4)
    with pytest.raises(ServiceRefusal) as no:
        bucket.take("ada", rate=2, burst=4)
    assert no.value.detail["limit"] == "move.account: 2 a second"
    bucket.take("bob", rate=2, burst=4)
    now[0] += 0.5
    bucket.take("ada", rate=2, burst=4)
    with pytest.raises(ServiceRefusal):
        bucket.take("ada", rate=2, burst=4)
    now[0] += 10
    for subject in "cdefgh":
        bucket.take(subject, rate=2, burst=4)
    assert len(bucket._filled) <= 6
    for _ in range(100):
        bucket.take("ada", rate=0, burst=1)
