"""Sockets counted in all processes together, while there is a Valkey."""

import os
from typing import Any

import pytest

from api.ws import crowds
from api.ws.crowds import Crowds
from api.ws.valkey import Valkey

with_valkey = pytest.mark.skipif(
    not os.environ.get("REDIS_URL"), reason="needs a Valkey"
)


class Clock:
    """A loop's time, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Gone:
    """A Valkey that does not answer."""

    def __init__(self) -> None:
        self.asked = 0

    # ruff: noqa: ARG002

    async def script(self, text: str, keys: list[str], values: list[Any]) -> Any:
        self.asked += 1
        raise TimeoutError


async def test_without_a_valkey_nobody_is_refused():
    alone = Crowds(None, Clock())
    for _ in range(3):
        full, lease = await alone.enter({"account:ada": 1})
        assert full is None
        assert lease


async def test_one_that_does_not_answer_is_left_alone_for_a_while():
    clock, gone = Clock(), Gone()
    one = Crowds(gone, clock)
    leases = [(await one.enter({"account:ada": 1}))[1] for _ in range(3)]
    assert gone.asked == 1
    assert all(leases)
    clock.now += crowds.PAUSE_S
    await one.renew()
    assert gone.asked == 2


@with_valkey
async def test_two_processes_count_together():
    valkey = Valkey(os.environ["REDIS_URL"])
    one, two = Crowds(valkey, Clock()), Crowds(valkey, Clock())
    most = {"address:crowd.test": 3, "account:crowd": 2}
    _, first = await one.enter(most)
    assert (await two.enter(most))[0] is None
    assert await one.enter(most) == ("account:crowd", None)
    assert (await one.enter({**most, "account:crowd": 9}))[0] is None
    assert await two.enter({**most, "account:crowd": 9}) == (
        "address:crowd.test",
        None,
    )
    assert first is not None
    await one.leave(first)
    assert (await two.enter({**most, "account:crowd": 9}))[0] is None
    await valkey.close()


@with_valkey
async def test_who_is_not_renewed_is_forgotten(monkeypatch):
    monkeypatch.setattr(crowds, "LEASE_S", -1)
    valkey = Valkey(os.environ["REDIS_URL"])
    dead, alive = Crowds(valkey, Clock()), Crowds(valkey, Clock())
    await dead.enter({"account:lapsed": 1})
    assert (await alive.enter({"account:lapsed": 1}))[0] is None
    monkeypatch.setattr(crowds, "LEASE_S", 12)
    await alive.renew()
    assert (await dead.enter({"account:lapsed": 1}))[0] == "account:lapsed"
    await valkey.close()
