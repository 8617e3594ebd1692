"""Open sockets are counted in each process, and over all processes in Valkey."""

import asyncio
import os

import pytest

from api.ws.connection import socket_counts
from api.ws.connection.socket_counts import Lease, LocalCounts, SharedCounts
from api.ws.connection.valkey import Valkey

with_valkey = pytest.mark.skipif(
    not os.environ.get("REDIS_URL"), reason="needs a Valkey"
)


class Process:
    """A web process whose sockets open and close."""

    def __init__(self, valkey: Valkey | None) -> None:
        self.counts = SharedCounts(valkey)
        self.refused: list[str] = []

    async def open(self, **limits: int) -> Lease:
        lease = self.counts.acquire(limits, self.refused.append)
        await self.wait()
        return lease

    async def close(self, lease: Lease) -> None:
        self.counts.release(lease)
        await self.wait()

    async def wait(self) -> None:
        if self.counts._task is not None:
            await self.counts._task


def test_local_counts_are_limited_by_subject():
    counts = LocalCounts()
    assert [counts.add("ada", 2) for _ in range(3)] == [True, True, False]
    assert counts.add("bob", 2)
    counts.remove("ada")
    assert counts.add("ada", 2)


async def test_without_valkey_no_socket_is_refused():
    alone = Process(None)
    for _ in range(3):
        await alone.open(ada=1)
    assert not alone.refused


async def test_while_valkey_is_down_no_socket_is_refused():
    valkey = Valkey("redis://127.0.0.1:1/0")
    process = Process(valkey)
    for _ in range(3):
        await process.open(ada=1)
    await process.counts.renew()
    assert not process.refused
    await valkey.close()


@with_valkey
async def test_two_processes_share_their_counts():
    valkey = Valkey(os.environ["REDIS_URL"])
    one, two = Process(valkey), Process(valkey)
    first = await one.open(address=4, account=2)
    await two.open(address=4, account=2)
    assert (one.refused, two.refused) == ([], [])
    await one.open(address=4, account=2)
    assert one.refused == ["account"]
    await two.open(address=4)
    await two.open(address=4)
    await one.open(address=4)
    assert (one.refused, two.refused) == (["account", "address"], [])
    await one.close(first)
    await two.open(address=4, account=2)
    assert two.refused == []
    await valkey.close()


@with_valkey
async def test_sockets_opened_at_once_are_counted():
    valkey = Valkey(os.environ["REDIS_URL"])
    one = Process(valkey)
    await asyncio.gather(*(one.open(many=3) for _ in range(5)))
    assert one.refused == ["many", "many"]
    await valkey.close()


@with_valkey
async def test_leases_that_are_not_renewed_expire(monkeypatch):
    valkey = Valkey(os.environ["REDIS_URL"])
    dead, alive = Process(valkey), Process(valkey)
    monkeypatch.setattr(socket_counts, "LEASE_S", -1)
    await dead.open(lapsed=1)
    await alive.open(lapsed=1)
    assert alive.refused == []
    monkeypatch.setattr(socket_counts, "LEASE_S", 12)
    await alive.counts.renew()
    await dead.open(lapsed=1)
    assert dead.refused == ["lapsed"]
    await valkey.close()
