"""How many watch, in this process and in others."""

import pytest

from game.services.races import spectators as module
from game.services.races.spectators import Watching


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEY", "test:watching")
    monkeypatch.setattr(module, "_KEPT_S", 0.0)


def test_one_process_knows_its_own(settings):
    settings.REDIS_URL = ""
    alone = Watching()
    alone.tell({"r1": 3, "r2": 0})
    assert (alone.count("r1"), alone.count("r2"), alone.count("r3")) == (3, 0, 0)
    assert alone.mark() == {("r1", 3)}


@pytest.mark.skipif("not __import__('os').environ.get('REDIS_URL')")
def test_processes_add_up_until_one_is_gone(monkeypatch):
    one, two = Watching(), Watching()
    one.tell({"r1": 3})
    two.tell({"r1": 2, "r2": 1})
    assert (one.count("r1"), one.count("r2"), two.count("r1")) == (5, 1, 5)
    assert one.mark() == two.mark()
    monkeypatch.setattr(module, "HOLDS_S", -2)
    two.tell({"r1": 2})
    assert one.count("r1") == 3


def test_a_valkey_that_is_gone_leaves_ones_own(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    alone = Watching()
    alone.tell({"r1": 3})
    assert alone.count("r1") == 3
