"""Rate limits: exact in a window, atomic, and kept while Valkey is down."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections

from game.models import Throttle
from game.services.core import valkey
from game.services.core.errors import ServiceRefusal
from game.services.core.throttles import (
    Limit,
    TokenBucket,
    TokenBuckets,
    subject_of,
    throttle,
)
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
def test_limit_holds_until_the_window_ends() -> None:
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


@pytest.fixture
def in_valkey(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Valkey that counts in a dict."""
    counts: Counter[str] = Counter()

    def run_script(_script: str, keys: list[str], values: list[int]) -> list[int]:
        counts[keys[0]] += 1
        return [counts[keys[0]], values[0]]

    monkeypatch.setattr(valkey, "run_script", run_script)


@pytest.mark.usefixtures("in_valkey")
def test_valkey_counts_and_the_database_does_not() -> None:
    for _ in range(3):
        throttle(LIMIT, "ada", at=NOON)
    assert refused("ada")["retry_after_s"] == 61
    assert not Throttle.objects.exists()


def test_without_valkey_the_database_counts(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    for _ in range(3):
        throttle(LIMIT, "ada", at=NOON)
    refused("ada")
    assert Throttle.objects.get().count == 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("in_database")
def test_concurrent_uses_are_all_counted() -> None:
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


def test_subject_does_not_contain_its_text() -> None:
    assert "ada" not in subject_of("ada@example.org")
    assert subject_of("\ud800") != subject_of("\ud801")


def test_token_bucket_allows_a_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=5, burst=20)
    assert [bucket.take(100.0) for _ in range(20)] == [0.0] * 20
    assert 0.19 < bucket.take(100.0) <= 0.2
    assert bucket.take(100.21) == 0.0
    assert bucket.take(100.21) > 0
    assert sum(bucket.take(200.0) == 0.0 for _ in range(50)) == 20


def test_refused_take_costs_no_token() -> None:
    bucket = TokenBucket(rate=1, burst=1)
    bucket.take(0.0)
    for _ in range(100):
        bucket.take(0.5)
    assert bucket.take(1.01) == 0.0


def test_token_buckets_count_by_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("game.services.core.throttles.time.monotonic", lambda: now[0])
    buckets = TokenBuckets("move.account", max_subjects=3)
    for _ in range(4):
        buckets.take("ada", rate=0.5, burst=4)
    with pytest.raises(ServiceRefusal) as no:
        buckets.take("ada", rate=0.5, burst=4)
    assert no.value.detail == {
        "limit": "move.account: 0.5 a second",
        "retry_after_s": 3,
    }
    buckets.take("bob", rate=0.5, burst=4)
    now[0] += 2
    buckets.take("ada", rate=0.5, burst=4)
    with pytest.raises(ServiceRefusal):
        buckets.take("ada", rate=0.5, burst=4)


def test_full_token_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("game.services.core.throttles.time.monotonic", lambda: now[0])
    buckets = TokenBuckets("move.account", max_subjects=3)
    for subject in "abc":
        buckets.take(subject, rate=2, burst=4)
    now[0] += 10
    buckets.take("d", rate=2, burst=4)
    assert list(buckets._buckets) == ["d"]


def test_rate_of_zero_limits_nothing() -> None:
    buckets = TokenBuckets("move.account")
    for _ in range(100):
        buckets.take("ada", rate=0, burst=1)
