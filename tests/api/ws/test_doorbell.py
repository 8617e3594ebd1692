"""Rings between processes, over a layer that comes and goes."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

from api.ws import doorbell
from api.ws.doorbell import Doorbell


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorbell, "AGAIN_S", 0.05)


class Heard(list[tuple[str, int]]):
    """Rings as they are heard."""

    def __call__(self, race_id: str, seq: int) -> None:
        self.append((race_id, seq))


async def running(*bells: Doorbell) -> AsyncIterator[None]:
    work = [each for bell in bells for each in (bell.hear(), bell.send())]
    tasks = [asyncio.create_task(each) for each in work]
    await asyncio.sleep(0.2)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def within(heard: Heard, count: int, seconds: float = 3.0) -> None:
    async with asyncio.timeout(seconds):
        while len(heard) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_others_hear_a_ring_and_oneself_does_not():
    layer = InMemoryChannelLayer()
    one, two = Heard(), Heard()
    first, second = Doorbell(layer, one), Doorbell(layer, two)
    async for _ in running(first, second):
        first.ring("r1", 5)
        await within(two, 1)
        assert (one, two) == ([], [("r1", 5)])


async def test_rings_of_one_moment_are_one_message_with_the_last_of_each():
    layer, heard = InMemoryChannelLayer(), Heard()
    first, second = Doorbell(layer, Heard()), Doorbell(layer, heard)
    async for _ in running(first, second):
        for seq in (1, 2, 3):
            first.ring("r1", seq)
        first.ring("r2", 7)
        first.ring("r1", 2)
        await within(heard, 2)
        assert sorted(heard) == [("r1", 3), ("r2", 7)]


class Broken:
    """A layer that fails so often before it works."""

    def __init__(self, layer: Any, failures: int) -> None:
        self.layer, self.failures, self.flushed = layer, failures, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.layer, name)

    async def new_channel(self) -> Any:
        if self.failures:
            self.failures -= 1
            raise ConnectionError
        return await self.layer.new_channel()

    async def flush(self) -> None:
        self.flushed += 1


async def test_a_lost_layer_is_joined_again():
    layer, heard = InMemoryChannelLayer(), Heard()
    broken = Broken(layer, 2)
    first, second = Doorbell(layer, Heard()), Doorbell(broken, heard)
    async for _ in running(first, second):
        await asyncio.sleep(0.2)
        first.ring("r1", 1)
        await within(heard, 1)
        assert (broken.failures, broken.flushed) == (0, 2)


async def test_a_layer_that_cannot_send_costs_nobody_anything(monkeypatch):
    layer = InMemoryChannelLayer()

    async def fails(*_: Any) -> None:
        raise ConnectionError

    plain = layer.group_send
    monkeypatch.setattr(layer, "group_send", fails)
    heard = Heard()
    first, second = Doorbell(layer, Heard()), Doorbell(layer, heard)
    async for _ in running(first, second):
        first.ring("r1", 1)
        await asyncio.sleep(0.1)
        monkeypatch.setattr(layer, "group_send", plain)
        first.ring("r1", 2)
        await within(heard, 1)
        assert heard == [("r1", 2)]


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs a Valkey")
async def test_an_idle_subscription_lives_past_seven_seconds():
    hosts = [{"address": os.environ["REDIS_URL"], "socket_timeout": None}]
    one, two = (RedisPubSubChannelLayer(hosts=hosts) for _ in range(2))
    heard = Heard()
    first, second = Doorbell(one, Heard()), Doorbell(two, heard)
    async for _ in running(first, second):
        await asyncio.sleep(7.5)
        first.ring("r1", 1)
        await within(heard, 1, 1.0)
    await one.flush()
    await two.flush()
