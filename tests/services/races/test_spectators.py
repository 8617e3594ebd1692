"""Spectator counts, of this process and summed over all."""

import pytest

from game.services.races import spectators
from game.services.races.spectators import SpectatorCounts


@pytest.fixture(autouse=True)
def key_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "KEY", "test:watching")
    monkeypatch.setattr(spectators, "CACHE_S", 0.0)


def test_without_valkey_a_process_counts_its_own(settings):
    settings.REDIS_URL = ""
    counts = SpectatorCounts()
    counts.publish({"r1": 3, "r2": 0})
    assert (counts.count("r1"), counts.count("r2"), counts.count("r3")) == (3, 0, 0)
    assert counts.version() == {("r1", 3)}


@pytest.mark.skipif("not __import__('os').environ.get('REDIS_URL')")
def test_counts_of_processes_are_summed_until_they_expire(monkeypatch):
    first, second = SpectatorCounts(), SpectatorCounts()
    first.publish({"r1": 3})
    second.publish({"r1": 2, "r2": 1})
    assert (first.count("r1"), first.count("r2"), second.count("r1")) == (5, 1, 5)
    assert first.version() == second.version()
    monkeypatch.setattr(spectators, "COUNT_TTL_S", -2)
    second.publish({"r1": 2})
    assert first.count("r1") == 3


def test_an_unreachable_valkey_leaves_the_own_counts(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    counts = SpectatorCounts()
    counts.publish({"r1": 3})
    assert counts.count("r1") == 3
