"""Notifications between processes, while the connection to Valkey comes and goes."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from api.ws.connection.valkey import Valkey
from api.ws.races import notifications
from api.ws.races.notifications import Notifications
from game.services.core import notify

with_valkey = pytest.mark.skipif(
    not os.environ.get("REDIS_URL"), reason="needs a Valkey"
)


@pytest.fixture(autouse=True)
def _short_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "RETRY_AFTER_S", 0.05)


class Received(list[tuple[str, int]]):
    """The notifications that a process has received."""

    def __call__(self, race_id: str, seq: int) -> None:
        self.append((race_id, seq))

    async def wait_for(self, count: int, within_s: float = 3.0) -> None:
        async with asyncio.timeout(within_s):
            while len(self) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


class FakeValkey(Valkey):
    """A channel within this process. Fails to subscribe `failures` times."""

    def __init__(self, failures: int = 0) -> None:
        self.subscribers: list[asyncio.Queue[str]] = []
        self.failures, self.is_down = failures, False

    async def publish(self, channel: str, text: str) -> int:
        assert channel == notify.CHANNEL
        if self.is_down:
            raise ConnectionError
        for subscriber in self.subscribers:
            subscriber.put_nowait(text)
        return len(self.subscribers)

    async def subscribe(self, channel: str) -> AsyncIterator[str]:
        if self.failures:
            self.failures -= 1
            raise ConnectionError(channel)
        subscriber: asyncio.Queue[str] = asyncio.Queue()
        self.subscribers.append(subscriber)
        while True:
            yield await subscriber.get()


@asynccontextmanager
async def running(*processes: Notifications) -> AsyncIterator[None]:
    tasks = [
        asyncio.create_task(work)
        for process in processes
        for work in (process.receive_forever(), process.publish_forever())
    ]
    await asyncio.sleep(0.2)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_notification_reaches_the_other_processes_only():
    valkey, own, other = FakeValkey(), Received(), Received()
    first, second = Notifications(valkey, own), Notifications(valkey, other)
    async with running(first, second):
        first.announce("r1", 5)
        await other.wait_for(1)
        assert (own, other) == ([], [("r1", 5)])


async def test_notifications_of_one_moment_are_one_message_with_the_last_seqs():
    valkey, received = FakeValkey(), Received()
    first, second = Notifications(valkey, Received()), Notifications(valkey, received)
    async with running(first, second):
        for seq in (1, 2, 3):
            first.announce("r1", seq)
        first.announce("r2", 7)
        first.announce("r1", 2)
        await received.wait_for(2)
        assert sorted(received) == [("r1", 3), ("r2", 7)]


async def test_a_lost_subscription_is_renewed():
    valkey, received = FakeValkey(failures=3), Received()
    first, second = Notifications(valkey, Received()), Notifications(valkey, received)
    async with running(first, second):
        await asyncio.sleep(0.3)
        first.announce("r1", 1)
        await received.wait_for(1)
        assert valkey.failures == 0


async def test_after_an_outage_notifications_are_published_again():
    valkey, received = FakeValkey(), Received()
    first, second = Notifications(valkey, Received()), Notifications(valkey, received)
    async with running(first, second):
        valkey.is_down = True
        first.announce("r1", 1)
        await asyncio.sleep(0.1)
        valkey.is_down = False
        first.announce("r1", 2)
        await received.wait_for(1)
        assert received == [("r1", 2)]


@with_valkey
async def test_idle_subscription_stays_open_for_seven_seconds():
    one, two = (Valkey(os.environ["REDIS_URL"]) for _ in range(2))
    received = Received()
    first, second = Notifications(one, Received()), Notifications(two, received)
    async with running(first, second):
        await asyncio.sleep(7.5)
        first.announce("r1", 1)
        await received.wait_for(1, 1.0)
    await one.close()
    await two.close()


@with_valkey
async def test_a_worker_publishes_its_notifications_at_once(monkeypatch):
    monkeypatch.setattr(notify, "listener", None)  # as in a process without sockets
    valkey, received = Valkey(os.environ["REDIS_URL"]), Received()
    async with running(Notifications(valkey, received)):
        started = time.monotonic()
        notify.race_changed("far", 3)
        notify.race_changed("far", 4)
        async with asyncio.timeout(3):
            # Other tests' processes publish on the channel too.
            while ("far", 4) not in received:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert time.monotonic() - started < 1
    await valkey.close()


async def test_a_subscriber_has_no_read_timeout():
    # redis-py 8 would end a connection that is silent for five seconds.
    valkey = Valkey("redis://127.0.0.1:1/0")
    options = valkey._subscriber.connection_pool.connection_kwargs
    assert options["socket_timeout"] is None
    await valkey.close()
