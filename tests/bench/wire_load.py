"""Loads on the wire: racing clients, spectators, joins, and an action at rest."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any

from tests.bench.wire_client import Client, cpu_of, memory_of, opened, share
from tests.bench.wire_people import Runner, all_present
from tests.bench.wire_site import Site

HELLO = b'{"v":1,"t":"hello","id":"h","d":{}}'
WARM_S = 0.7
QUIET_S = 2.0


def _path(runner: Runner) -> str:
    return f"/ws/v1/races/{runner.race_id}/"


class Racer:
    """One client: plays its runs one after the other, each move after its answer."""

    def __init__(self, runners: list[Runner]) -> None:
        self.runners = runners
        self.sockets: list[Client] = []
        self.run = self.index = 0
        self.sent_at = 0.0
        self.waits: list[tuple[float, float]] = []
        self.refused: list[bytes] = []
        self.until = 0.0
        self.answered = asyncio.Event()

    async def open(self, site: Site) -> None:
        """All its sockets, said hello to."""
        for runner in self.runners:
            headers = site.headers(runner.cookie)
            client = await opened(site.port, _path(runner), headers, self.heard)
            client.send(HELLO)
            self.sockets.append(client)

    def fire(self, due: float | None = None) -> None:
        """The next move; its wait counts from `due`, where it was due before now."""
        if self.index == len(self.runners[self.run].moves):
            self.run, self.index = self.run + 1, 0
            if self.run == len(self.runners):
                return
        move = self.runners[self.run].moves[self.index]
        self.sent_at = due or time.monotonic()
        self.sockets[self.run].send(
            b'{"v":1,"t":"move.play","id":"%d","d":{"index":%d,"move":"%s"}}'
            % (self.index, self.index, move.encode())
        )
        self.index += 1

    def heard(self, _: Client, payload: bytes, at: float) -> None:
        """An answer: note it, and go on."""
        if payload.startswith(b'{"v":1,"t":"move.accepted"'):
            self.waits.append((at, at - self.sent_at))
            self.answered.set()
            if at < self.until:
                self.fire()
        elif payload.startswith(b'{"v":1,"t":"error"'):
            self.refused.append(payload)


async def _ready(
    sites: Sequence[Site], runners: list[Runner], clients: int
) -> list[Racer]:
    """So many racers, opponents side by side, at each of these processes in turn."""
    racers = [Racer(runners[number::clients]) for number in range(clients)]
    for number, racer in enumerate(racers):
        await racer.open(sites[number % len(sites)])
    # Until everybody's coming has been noted and told.
    await asyncio.to_thread(all_present, [runner.race_id for runner in runners])
    await asyncio.sleep(QUIET_S)
    return racers


def _gone(racers: Iterable[Racer]) -> None:
    for racer in racers:
        for client in racer.sockets:
            client.close()


async def paced(
    site: Site, runners: list[Runner], clients: int, every_s: float, seconds: float
) -> dict[str, Any]:
    """So many racers, each with a move due at fixed times, whatever came of the last.

    A move's wait counts from when it was due. `late`: it was answered after the next
    one was due.
    """
    racers = await _ready([site], runners, clients)
    count = int(seconds / every_s)

    async def race(racer: Racer, begun: float) -> None:
        for number in range(count):
            due = begun + number * every_s
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            racer.answered.clear()
            racer.fire(due)
            with suppress(TimeoutError):
                await asyncio.wait_for(racer.answered.wait(), 5)

    cpu, begun = cpu_of(site.pid), time.monotonic() + 0.2
    starts = [begun + every_s * number / clients for number in range(clients)]
    await asyncio.gather(*map(race, racers, starts))
    spent = cpu_of(site.pid) - cpu
    waits = [wait for racer in racers for _, wait in racer.waits]
    _gone(racers)
    return {
        "moves": len(waits),
        "missing": clients * count - len(waits),
        "late": sum(wait > every_s for wait in waits),
        "p50": 1000 * share(waits, 50),
        "p99": 1000 * share(waits, 99),
        "cpu_ms": 1000 * spent / len(waits),
    }


async def move_rounds(
    sites: Sequence[Site], runners: list[Runner], clients: int, seconds: float
) -> dict[str, Any]:
    """So many racers at full speed, over one web process or several."""
    racers = await _ready(sites, runners, clients)
    begun = time.monotonic() + WARM_S
    for racer in racers:
        racer.until = begun + seconds
        racer.fire()
    await asyncio.sleep(WARM_S)
    cpu = sum(cpu_of(site.pid) for site in sites)
    await asyncio.sleep(seconds)
    spent = sum(cpu_of(site.pid) for site in sites) - cpu
    await asyncio.sleep(0.5)
    waits = [
        wait
        for racer in racers
        for at, wait in racer.waits
        if begun <= at < begun + seconds
    ]
    _gone(racers)
    return {
        "rate": len(waits) / seconds,
        "p50": 1000 * share(waits, 50),
        "p99": 1000 * share(waits, 99),
        "cpu_ms": 1000 * spent / len(waits),
        "refused": sum(len(racer.refused) for racer in racers),
    }


class Watcher:
    """What spectators hear of the moves that are sent, and after how long."""

    def __init__(self) -> None:
        self.sent: list[float] = []
        self.lags: list[float] = []
        self._first: int | None = None

    def heard(self, _: Client, payload: bytes, at: float) -> None:
        """A move's event, also one that is hidden: each move has one number."""
        known = b'"moved"' in payload[:120] or b'"hidden"' in payload[:120]
        if not (known and payload.startswith(b'{"v":1,"t":"race.event"')):
            return
        seq = int(payload[30 : payload.index(b",", 30)])
        if self._first is None:
            self._first = seq
        self.lags.append(at - self.sent[seq - self._first])


async def fan(
    site: Site,
    runners: list[Runner],
    people: list[tuple[str, str]],
    count: int,
    per_second: float,
    seconds: float,
) -> dict[str, Any]:
    """Spectators of one race whose two players move in turn."""
    watcher, memory = Watcher(), memory_of(site.pid)
    clients = []
    for _, (_, cookie) in zip(range(count), cycle(people[2:]), strict=False):
        headers = site.headers(cookie)
        client = await opened(site.port, _path(runners[0]), headers, watcher.heard)
        client.send(HELLO)
        clients.append(client)
    racers = [Racer([runner]) for runner in runners]
    for racer in racers:
        await racer.open(site)
    await asyncio.to_thread(all_present, [runners[0].race_id])
    await asyncio.sleep(QUIET_S)
    held = (memory_of(site.pid) - memory) / count
    cpu, begun = cpu_of(site.pid), time.monotonic()
    moves = int(min(per_second * seconds, 2 * len(runners[0].moves) - 2))
    for number in range(moves):
        watcher.sent.append(time.monotonic())
        racers[number % 2].fire()
        due = begun + (number + 1) / per_second
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    await _until(lambda: len(watcher.lags) == moves * count, 10)
    spent = cpu_of(site.pid) - cpu
    waits = [wait for racer in racers for _, wait in racer.waits]
    for client in [*clients, *(one for racer in racers for one in racer.sockets)]:
        client.close()
    await asyncio.sleep(1)
    return {
        "delivered": len(watcher.lags) / (moves * count),
        "p50": share(watcher.lags, 50),
        "p99": share(watcher.lags, 99),
        "cpu_ms": 1000 * spent / max(1, len(watcher.lags)),
        "ack_p99_ms": 1000 * share(waits, 99),
        "kib_a_socket": held / 1024,
    }


async def _until(done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def rest(site: Site, runners: list[Runner]) -> dict[str, Any]:
    """Each race alone, one move at a time: from sending to the opponent's event."""
    lags: list[float] = []
    for one, two in zip(runners[::2], runners[1::2], strict=True):
        racer = Racer([one])
        await racer.open(site)
        seen: list[float] = []

        def heard(
            _: Client, payload: bytes, at: float, seen: list[float] = seen
        ) -> None:
            if b'"moved"' in payload[:200] or b'"hidden"' in payload[:200]:
                seen.append(at)

        other = await opened(site.port, _path(two), site.headers(two.cookie), heard)
        other.send(HELLO)
        await asyncio.sleep(1)
        for _ in range(min(20, len(one.moves) - 1)):
            seen.clear()
            racer.fire()
            sent_at = racer.sent_at
            await asyncio.sleep(0.1)
            lags += [at - sent_at for at in seen[:1]]
        other.close()
        racer.sockets[0].close()
    return {"p50_ms": 1000 * share(lags, 50), "p99_ms": 1000 * share(lags, 99)}


async def joins(
    site: Site, runners: list[Runner], people: list[tuple[str, str]], count: int = 400
) -> dict[str, Any]:
    """Spectators that come as fast as they can, twenty at a time."""
    begun_at: dict[Client, float] = {}
    waits: list[float] = []

    def heard(client: Client, payload: bytes, at: float) -> None:
        if payload.startswith(b'{"v":1,"t":"race.snapshot"'):
            waits.append(at - begun_at[client])

    room, clients = asyncio.Semaphore(20), []
    path = _path(runners[0])

    async def join(cookie: str) -> None:
        async with room:
            at = time.monotonic()
            client = await opened(site.port, path, site.headers(cookie), heard)
            begun_at[client] = at
            client.send(HELLO)
            clients.append(client)

    cpu, begun = cpu_of(site.pid), time.monotonic()
    chosen = [
        cookie for _, (_, cookie) in zip(range(count), cycle(people), strict=False)
    ]
    await asyncio.gather(*(join(cookie) for cookie in chosen))
    await _until(lambda: len(waits) == count, 20)
    spent, took = cpu_of(site.pid) - cpu, time.monotonic() - begun
    for client in clients:
        client.close()
    await asyncio.sleep(1)
    return {
        "a_second": len(waits) / took,
        "p99_ms": 1000 * share(waits, 99),
        "cpu_ms": 1000 * spent / count,
    }
