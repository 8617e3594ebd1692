"""Rings between processes, over a line that comes and goes."""

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest

from api.ws.connection.valkey import Valkey
from api.ws.races import notifications
from api.ws.races.notifications import Doorbell
from game.services.core import notify


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "AGAIN_S", 0.05)


class Heard(list[tuple[str, int]]):
    """Rings as they are heard."""

    def __call__(self, race_id: str, seq: int) -> None:
        self.append((race_id, seq))


class Line:
    """A line within this process, which fails so often before it works."""

    def __init__(self, deaf: int = 0) -> None:
        self.ears: list[asyncio.Queue[str]] = []
        self.deaf, self.is_dumb = deaf, False

    async def publish(self, channel: str, text: str) -> int:
        assert channel == "scoundrel:race_changed"
        if self.is_dumb:
            raise ConnectionError
        for ear in self.ears:
            ear.put_nowait(text)
        return len(self.ears)

    async def subscribe(self, channel: str) -> AsyncIterator[str]:
        if self.deaf:
            self.deaf -= 1
            raise ConnectionError(channel)
        ear: asyncio.Queue[str] = asyncio.Queue()
        self.ears.append(ear)
        while True:
            yield await ear.get()


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
    line = Line()
    one, two = Heard(), Heard()
    first, second = Doorbell(line, one), Doorbell(line, two)
    async for _ in running(first, second):
        first.ring("r1", 5)
        await within(two, 1)
        assert (one, two) == ([], [("r1", 5)])


async def test_rings_of_one_moment_are_one_message_with_the_last_of_each():
    line, heard = Line(), Heard()
    first, second = Doorbell(line, Heard()), Doorbell(line, heard)
    async for _ in running(first, second):
        for seq in (1, 2, 3):
            first.ring("r1", seq)
        first.ring("r2", 7)
        first.ring("r1", 2)
        await within(heard, 2)
        assert sorted(heard) == [("r1", 3), ("r2", 7)]


async def test_a_lost_line_is_taken_up_again():
    line, heard = Line(deaf=3), Heard()
    first, second = Doorbell(line, Heard()), Doorbell(line, heard)
    async for _ in running(first, second):
        await asyncio.sleep(0.3)
        first.ring("r1", 1)
        await within(heard, 1)
        assert line.deaf == 0


async def test_a_line_that_cannot_send_costs_nobody_anything():
    line, heard = Line(), Heard()
    first, second = Doorbell(line, Heard()), Doorbell(line, heard)
    async for _ in running(first, second):
        line.is_dumb = True
        first.ring("r1", 1)
        await asyncio.sleep(0.1)
        line.is_dumb = False
        first.ring("r1", 2)
        await within(heard, 1)
        assert heard == [("r1", 2)]


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs a Valkey")
async def test_an_idle_subscription_lives_past_seven_seconds():
    one, two = (Valkey(os.environ["REDIS_URL"]) for _ in range(2))
    heard = Heard()
    first, second = Doorbell(one, Heard()), Doorbell(two, heard)
    async for _ in running(first, second):
        await asyncio.sleep(7.5)
        first.ring("r1", 1)
        await within(heard, 1, 1.0)
    await one.close()
    await two.close()


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs a Valkey")
async def test_what_a_worker_does_is_rung_at_once(monkeypatch):
    monkeypatch.setattr(notify, "listener", None)  # as in a process without sockets
    line, heard = Valkey(os.environ["REDIS_URL"]), Heard()
    async for _ in running(Doorbell(line, heard)):
        begun = time.monotonic()
        notify.race_changed("far", 3)
        notify.race_changed("far", 4)
        async with asyncio.timeout(3):
            # Other processes' rings come too.
            while ("far", 4) not in heard:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert time.monotonic() - begun < 1
    await line.close()


async def test_who_only_listens_is_not_dropped_for_silence():
    # redis-py 8 would end a connection that is idle for five seconds.
    line = Valkey("redis://127.0.0.1:1/0")
    options = line._subscriber.connection_pool.connection_kwargs
    assert options["socket_timeout"] is None
    await line.close()
