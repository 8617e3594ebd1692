"""Clients of Valkey: an outage fails fast and is not retried at once."""

import os
from typing import Any

import pytest
import redis

from game.services.core import valkey

SCRIPT = "return ARGV[1]"


class Down:
    """A client whose server does not answer."""

    def __init__(self) -> None:
        self.calls = 0

    def publish(self, *_: Any) -> None:
        self.calls += 1
        raise redis.ConnectionError

    eval = publish


@pytest.fixture
def down(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Down:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    client, pause = Down(), valkey.Pause()
    monkeypatch.setattr(valkey, "_client", lambda _: (client, pause))
    return client


def test_without_a_url_it_is_unavailable(settings: Any) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(valkey.Unavailable):
        valkey.run_script(SCRIPT, [], ["1"])
    with pytest.raises(valkey.Unavailable):
        valkey.publish("test", "text")


def test_after_a_failure_no_script_is_sent_during_the_pause(
    down: Down, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("game.services.core.valkey.time.monotonic", lambda: now[0])
    for _ in range(3):
        with pytest.raises(valkey.Unavailable):
            valkey.run_script(SCRIPT, [], ["1"])
    assert down.calls == 1
    now[0] += valkey.PAUSE_S
    with pytest.raises(valkey.Unavailable):
        valkey.run_script(SCRIPT, [], ["1"])
    assert down.calls == 2


def test_messages_are_sent_during_the_pause(down: Down) -> None:
    for _ in range(2):
        with pytest.raises(valkey.Unavailable):
            valkey.run_script(SCRIPT, [], ["1"])
        with pytest.raises(valkey.Unavailable):
            valkey.publish("test", "text")
    assert down.calls == 3


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs a Valkey")
def test_a_script_answers() -> None:
    assert valkey.run_script(SCRIPT, [], ["1"]) == b"1"
