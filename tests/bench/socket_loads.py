"""Measurements over websockets: moves, deliveries to spectators, and joins."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any

from tests.bench.bench_site import Site
from tests.bench.socket_client import (
    Client,
    connect,
    cpu_seconds,
    memory_bytes,
    percentile,
)
from tests.bench.socket_players import PlannedRun, wait_until_present

HELLO = b'{"v":1,"t":"hello","id":"h","d":{}}'
WARM_UP_S = 0.7
SETTLE_S = 2.0


def _path(run: PlannedRun) -> str:
    return f"/ws/v1/races/{run.race_id}/"


class Racer:
    """Plays its runs one after the other, sending each move after the last answer."""

    def __init__(self, runs: list[PlannedRun]) -> None:
        self.runs = runs
        self.sockets: list[Client] = []
        self.run_number = self.index = 0
        self.sent_at = 0.0
        self.answers: list[tuple[float, float]] = []  # (time, seconds waited)
        self.refused: list[bytes] = []
        self.play_until = 0.0
        self.answered = asyncio.Event()

    async def open(self, site: Site) -> None:
        """Open a socket for each of its runs and send `hello`."""
        for run in self.runs:
            headers = site.headers(run.cookie)
            client = await connect(site.port, _path(run), headers, self.receive)
            client.send(HELLO)
            self.sockets.append(client)

    def send_move(self, due: float | None = None) -> None:
        """Send the next move; its wait counts from `due` if given."""
        if self.index == len(self.runs[self.run_number].moves):
            self.run_number, self.index = self.run_number + 1, 0
            if self.run_number == len(self.runs):
                return
        move = self.runs[self.run_number].moves[self.index]
        self.sent_at = due or time.monotonic()
        self.sockets[self.run_number].send(
            b'{"v":1,"t":"move.play","id":"%d","d":{"index":%d,"move":"%s"}}'
            % (self.index, self.index, move.encode())
        )
        self.index += 1

    def receive(self, _: Client, payload: bytes, at: float) -> None:
        """Record an answer and send the next move."""
        if payload.startswith(b'{"v":1,"t":"move.accepted"'):
            self.answers.append((at, at - self.sent_at))
            self.answered.set()
            if at < self.play_until:
                self.send_move()
        elif payload.startswith(b'{"v":1,"t":"error"'):
            self.refused.append(payload)


async def _connect_racers(
    sites: Sequence[Site], runs: list[PlannedRun], clients: int
) -> list[Racer]:
    """Connect racers to the web processes in turn: opponents use different ones."""
    racers = [Racer(runs[number::clients]) for number in range(clients)]
    for number, racer in enumerate(racers):
        await racer.open(sites[number % len(sites)])
    # Wait until the presence of all is recorded and its events are sent.
    await asyncio.to_thread(wait_until_present, [run.race_id for run in runs])
    await asyncio.sleep(SETTLE_S)
    return racers


def _disconnect(racers: Iterable[Racer]) -> None:
    for racer in racers:
        for client in racer.sockets:
            client.close()


async def measure_paced_moves(
    site: Site, runs: list[PlannedRun], clients: int, every_s: float, seconds: float
) -> dict[str, Any]:
    """Measure racers who send moves at fixed times, however long the last one took.

    A move's wait counts from when it was due. `late` counts moves that were answered
    after the next one was due.
    """
    racers = await _connect_racers([site], runs, clients)
    count = int(seconds / every_s)

    async def race(racer: Racer, started: float) -> None:
        for number in range(count):
            due = started + number * every_s
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            racer.answered.clear()
            racer.send_move(due)
            with suppress(TimeoutError):
                await asyncio.wait_for(racer.answered.wait(), 5)

    cpu, started = cpu_seconds(site.pid), time.monotonic() + 0.2
    starts = [started + every_s * number / clients for number in range(clients)]
    await asyncio.gather(*map(race, racers, starts))
    spent = cpu_seconds(site.pid) - cpu
    waits = [wait for racer in racers for _, wait in racer.answers]
    _disconnect(racers)
    return {
        "moves": len(waits),
        "missing": clients * count - len(waits),
        "late": sum(wait > every_s for wait in waits),
        "p50": 1000 * percentile(waits, 50),
        "p99": 1000 * percentile(waits, 99),
        "cpu_ms": 1000 * spent / len(waits),
    }


async def measure_full_speed(
    sites: Sequence[Site], runs: list[PlannedRun], clients: int, seconds: float
) -> dict[str, Any]:
    """Measure racers who send each move as soon as the last is answered."""
    racers = await _connect_racers(sites, runs, clients)
    started = time.monotonic() + WARM_UP_S
    for racer in racers:
        racer.play_until = started + seconds
        racer.send_move()
    await asyncio.sleep(WARM_UP_S)
    cpu = sum(cpu_seconds(site.pid) for site in sites)
    await asyncio.sleep(seconds)
    spent = sum(cpu_seconds(site.pid) for site in sites) - cpu
    await asyncio.sleep(0.5)
    waits = [
        wait
        for racer in racers
        for at, wait in racer.answers
        if started <= at < started + seconds
    ]
    _disconnect(racers)
    return {
        "rate": len(waits) / seconds,
        "p50": 1000 * percentile(waits, 50),
        "p99": 1000 * percentile(waits, 99),
        "cpu_ms": 1000 * spent / len(waits),
        "refused": sum(len(racer.refused) for racer in racers),
    }


class DeliveryTimes:
    """The times from each move until the spectators get its event."""

    def __init__(self) -> None:
        self.sent: list[float] = []
        self.lags: list[float] = []
        self._first: int | None = None

    def receive(self, _: Client, payload: bytes, at: float) -> None:
        """Record the event of a move; a hidden one has the number too."""
        is_move = b'"moved"' in payload[:120] or b'"hidden"' in payload[:120]
        if not (is_move and payload.startswith(b'{"v":1,"t":"race.event"')):
            return
        seq = int(payload[30 : payload.index(b",", 30)])
        if self._first is None:
            self._first = seq
        self.lags.append(at - self.sent[seq - self._first])


async def measure_deliveries(
    site: Site,
    runs: list[PlannedRun],
    people: list[tuple[str, str]],
    count: int,
    per_second: float,
    seconds: float,
) -> dict[str, Any]:
    """Measure deliveries to `count` spectators while two players move in turn."""
    times, memory = DeliveryTimes(), memory_bytes(site.pid)
    clients = []
    for _, (_, cookie) in zip(range(count), cycle(people[2:]), strict=False):
        headers = site.headers(cookie)
        client = await connect(site.port, _path(runs[0]), headers, times.receive)
        client.send(HELLO)
        clients.append(client)
    racers = [Racer([run]) for run in runs]
    for racer in racers:
        await racer.open(site)
    await asyncio.to_thread(wait_until_present, [runs[0].race_id])
    await asyncio.sleep(SETTLE_S)
    socket_bytes = (memory_bytes(site.pid) - memory) / count
    cpu, started = cpu_seconds(site.pid), time.monotonic()
    moves = int(min(per_second * seconds, 2 * len(runs[0].moves) - 2))
    for number in range(moves):
        times.sent.append(time.monotonic())
        racers[number % 2].send_move()
        due = started + (number + 1) / per_second
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    await _wait_until(lambda: len(times.lags) == moves * count, 10)
    spent = cpu_seconds(site.pid) - cpu
    waits = [wait for racer in racers for _, wait in racer.answers]
    for client in [*clients, *(one for racer in racers for one in racer.sockets)]:
        client.close()
    await asyncio.sleep(1)
    return {
        "delivered": len(times.lags) / (moves * count),
        "p50": percentile(times.lags, 50),
        "p99": percentile(times.lags, 99),
        "cpu_ms": 1000 * spent / max(1, len(times.lags)),
        "ack_p99_ms": 1000 * percentile(waits, 99),
        "kib_a_socket": socket_bytes / 1024,
    }


async def _wait_until(done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def measure_single_moves(site: Site, runs: list[PlannedRun]) -> dict[str, Any]:
    """Measure the time from sending a move to the opponent's event, one at a time."""
    lags: list[float] = []
    for one, two in zip(runs[::2], runs[1::2], strict=True):
        racer = Racer([one])
        await racer.open(site)
        seen: list[float] = []

        def receive(
            _: Client, payload: bytes, at: float, seen: list[float] = seen
        ) -> None:
            if b'"moved"' in payload[:200] or b'"hidden"' in payload[:200]:
                seen.append(at)

        other = await connect(site.port, _path(two), site.headers(two.cookie), receive)
        other.send(HELLO)
        await asyncio.sleep(1)
        for _ in range(min(20, len(one.moves) - 1)):
            seen.clear()
            racer.send_move()
            sent_at = racer.sent_at
            await asyncio.sleep(0.1)
            lags += [at - sent_at for at in seen[:1]]
        other.close()
        racer.sockets[0].close()
    return {
        "p50_ms": 1000 * percentile(lags, 50),
        "p99_ms": 1000 * percentile(lags, 99),
    }


async def measure_joins(
    site: Site, runs: list[PlannedRun], people: list[tuple[str, str]], count: int = 400
) -> dict[str, Any]:
    """Measure the joins of `count` spectators, who connect twenty at a time."""
    started_at: dict[Client, float] = {}
    waits: list[float] = []

    def receive(client: Client, payload: bytes, at: float) -> None:
        if payload.startswith(b'{"v":1,"t":"race.snapshot"'):
            waits.append(at - started_at[client])

    slots, clients = asyncio.Semaphore(20), []
    path = _path(runs[0])

    async def join(cookie: str) -> None:
        async with slots:
            at = time.monotonic()
            client = await connect(site.port, path, site.headers(cookie), receive)
            started_at[client] = at
            client.send(HELLO)
            clients.append(client)

    cpu, started = cpu_seconds(site.pid), time.monotonic()
    chosen = [
        cookie for _, (_, cookie) in zip(range(count), cycle(people), strict=False)
    ]
    await asyncio.gather(*(join(cookie) for cookie in chosen))
    await _wait_until(lambda: len(waits) == count, 20)
    spent, took = cpu_seconds(site.pid) - cpu, time.monotonic() - started
    for client in clients:
        client.close()
    await asyncio.sleep(1)
    return {
        "a_second": len(waits) / took,
        "p99_ms": 1000 * percentile(waits, 99),
        "cpu_ms": 1000 * spent / count,
    }
