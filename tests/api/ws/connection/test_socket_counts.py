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


class Door:
    """Sockets of one process that come and go."""

    def __init__(self, asked: Any) -> None:
        self.crowds = Crowds(asked)
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
    alone = Door(None)
    for _ in range(3):
        await alone.comes(ada=1)
    assert not alone.refused


async def test_with_a_valkey_that_is_down_nobody_is_refused():
    valkey = Valkey("redis://127.0.0.1:1/0")
    process = Door(valkey)
    for _ in range(3):
        await process.comes(ada=1)
    await process.crowds.renew()
    assert not process.refused
    await valkey.close()


@with_valkey
async def test_two_processes_count_together():
    valkey = Valkey(os.environ["REDIS_URL"])
    one, two = Door(valkey), Door(valkey)
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
    one = Door(valkey)
    await asyncio.gather(*(one.comes(many=3) for _ in range(5)))
    assert one.refused == ["many", "many"]
    await valkey.close()


@with_valkey
async def test_who_is_not_renewed_is_forgotten(monkeypatch):
    valkey = Valkey(os.environ["REDIS_URL"])
    dead, alive = Door(valkey), Door(valkey)
    monkeypatch.setattr(socket_counts, "LEASE_S", -1)
    await dead.comes(lapsed=1)
    await alive.comes(lapsed=1)
    assert alive.refused == []
    monkeypatch.setattr(socket_counts, "LEASE_S", 12)
    await alive.crowds.renew()
    await dead.comes(lapsed=1)
    assert dead.refused == ["lapsed"]
    await valkey.close()
