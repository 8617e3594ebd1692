"""Sockets counted in all processes together, while there is a Valkey."""

import asyncio
import os
from typing import Any

import pytest

from api.ws.connection import socket_counts
from api.ws.connection.socket_counts import Crowds, Lease
from api.ws.connection.valkey import Valkey

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


class Door:
    """Sockets of one process that come and go."""

    def __init__(self, asked: Any, clock: Clock) -> None:
        self.crowds = Crowds(asked, clock)
        self.refused: list[str] = []

    async def comes(self, **most: int) -> Lease:
        lease = self.crowds.enter(most, self.refused.append)
        await self.counted()
        return lease

    async def goes(self, lease: Lease) -> None:
        self.crowds.leave(lease)
        await self.counted()

    async def counted(self) -> None:
        if self.crowds._counting is not None:
            await self.crowds._counting


async def test_without_a_valkey_nobody_is_refused():
    alone = Door(None, Clock())
    for _ in range(3):
        await alone.comes(ada=1)
    assert not alone.refused


async def test_one_that_does_not_answer_is_left_alone_for_a_while():
    clock, gone = Clock(), Gone()
    one = Door(gone, clock)
    for _ in range(3):
        await one.comes(ada=1)
    assert (gone.asked, one.refused) == (1, [])
    clock.now += socket_counts.PAUSE_S
    await one.crowds.renew()
    assert gone.asked == 2


@with_valkey
async def test_two_processes_count_together():
    valkey = Valkey(os.environ["REDIS_URL"])
    one, two = Door(valkey, Clock()), Door(valkey, Clock())
    first = await one.comes(address=4, account=2)
    await two.comes(address=4, account=2)
    assert (one.refused, two.refused) == ([], [])
    await one.comes(address=4, account=2)
    assert one.refused == ["account"]
    await two.comes(address=4)
    await two.comes(address=4)
    await one.comes(address=4)
    assert (one.refused, two.refused) == (["account", "address"], [])
    await one.goes(first)
    await two.comes(address=4, account=2)
    assert two.refused == []
    await valkey.close()


@with_valkey
async def test_a_crowd_at_once_is_counted_at_once():
    valkey = Valkey(os.environ["REDIS_URL"])
    one = Door(valkey, Clock())
    await asyncio.gather(*(one.comes(many=3) for _ in range(5)))
    assert one.refused == ["many", "many"]
    await valkey.close()


@with_valkey
async def test_who_is_not_renewed_is_forgotten(monkeypatch):
    valkey = Valkey(os.environ["REDIS_URL"])
    dead, alive = Door(valkey, Clock()), Door(valkey, Clock())
    monkeypatch.setattr(socket_counts, "LEASE_S", -1)
    await dead.comes(lapsed=1)
    await alive.comes(lapsed=1)
    assert alive.refused == []
    monkeypatch.setattr(socket_counts, "LEASE_S", 12)
    await alive.crowds.renew()
    await dead.comes(lapsed=1)
    assert dead.refused == ["lapsed"]
    await valkey.close()
