"""Eight clients race while processes of the site are killed in a random order.

Web processes, the worker, Valkey and PostgreSQL; NEMESIS_SEED gives the order. In the
end the clients' histories are compared with the tables: no acknowledged move is lost,
none is stored twice, no client received what it may not know. Recovery times are
printed. `NEMESIS_SIZE=5` is a large run, by hand: 24 clients, 40 spectators, 45 faults,
some of which only pause a process.
"""

import os
import queue
import random
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import pytest

from tests.faults.history import find_history_errors, find_leaks
from tests.faults.players import (
    DroppingPlayer,
    RestPlayer,
    SocketPlayer,
    Spectator,
    TwoTabPlayer,
)
from tests.faults.site import WEBS, Site, running_site
from tests.faults.stored_races import read_stored_races

SIZE = int(os.environ.get("NEMESIS_SIZE", "1"))
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400 if SIZE == 1 else 1500)]

PAIRS, SPECTATORS = (4, 1) if SIZE == 1 else (12, 40)
# In a large run one fault in this many is a pause.
PAUSE_EVERY = 4
SEED = int(os.environ.get("NEMESIS_SEED", "5"))
# How often each process is killed.
FAULTS = {"web 1": 2, "web 2": 1, "worker": 2, "valkey": 2, "postgresql": 2}
FAULTS = {name: SIZE * count for name, count in FAULTS.items()}
# How long a killed process stays away, and the time between two faults.
DOWN_S, BETWEEN_S = (0.2, 1.0), (2.5, 4.0)
RACES: tuple[dict[str, Any], ...] = (
    {"rated": True},
    {"rated": True, "format": "speed"},
    {},
    {"seats": 3, "house": "House Rat"},
)
PLAYERS = (
    (SocketPlayer, TwoTabPlayer),
    (SocketPlayer, RestPlayer),
    (DroppingPlayer, SocketPlayer),
    (TwoTabPlayer, RestPlayer),
)
# High, because the machine may be busy. The measured times are printed.
MAX_RECOVERY_S = 30.0


class Fault(NamedTuple):
    """A process that was killed, when (monotonic), and the clients that used it."""

    name: str
    at: float
    affected: list[RestPlayer]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A site for this test alone."""
    with running_site() as found:
        yield found


def race_repeatedly(
    host: RestPlayer, guest: RestPlayer, options: dict[str, Any], race_ids: list[str]
) -> None:
    """Race after race of two clients, until they are asked to finish."""
    invitations: queue.Queue[str | None] = queue.Queue()

    def follow() -> None:
        try:
            while (race_id := invitations.get(timeout=120)) is not None:
                guest.race(race_id)
        finally:
            host.finish_now.set()

    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(follow)
        try:
            while not (host.finish_now.is_set() or following.done()):
                race_id = host.make_race(**options)
                race_ids.append(race_id)
                invitations.put(race_id)
                host.race(race_id)
        finally:
            invitations.put(None)
        following.result(90)


def watch_newest(
    spectator: Spectator, race_ids: list[str], stop: threading.Event
) -> None:
    """Watch the newest of these races, again and again."""
    while not stop.wait(0.2 * min(SIZE, 5)):
        if race_ids:
            spectator.watch(race_ids[-1], stop)


def inject_faults(site: Site, players: list[RestPlayer]) -> list[Fault]:
    """Kill and restart processes in a random order; returns what was done."""
    rng = random.Random(SEED)
    names = [name for name, count in FAULTS.items() for _ in range(count)]
    rng.shuffle(names)
    faults = []
    time.sleep(6)  # until the first races are running
    for name in names:
        time.sleep(rng.uniform(*BETWEEN_S))
        if any(player.finish_now.is_set() for player in players):
            break  # a client has failed; the test will report it
        affected = [
            player
            for player in players
            if name not in WEBS or player.port == site.ports[name]
        ]
        if name in WEBS:
            site.wait(*WEBS)  # at any time one of them is up
        down_s = rng.uniform(*DOWN_S)
        if SIZE > 1 and rng.randrange(PAUSE_EVERY) == 0:
            faults.append(Fault(f"{name} (paused)", time.monotonic(), affected))
            site.pause(name, down_s)
            continue
        faults.append(Fault(name, time.monotonic(), affected))
        site.kill(name)
        time.sleep(down_s)
        site.children[name].start()
        if name not in WEBS:
            site.wait(name)
    site.wait(*WEBS)
    time.sleep(2)
    return faults


def recovery_times(faults: list[Fault]) -> dict[str, list[float]]:
    """Seconds from a fault to the next accepted move of each client in a race then.

    By kind of process. The next fault may have come before that move.
    """
    times: dict[str, list[float]] = {}
    for fault in faults:
        words = fault.name.split()
        name = words[0] + (" (paused)" if "(paused)" in words else "")
        for player in fault.affected:
            ends = [end for start, end in player.race_times if start <= fault.at <= end]
            race_end = ends[0] if ends else 0.0
            later = (at for at in player.accepted_at if fault.at < at <= race_end)
            at = next(later, None)
            if at is not None:
                times.setdefault(name, []).append(at - fault.at)
    return times


def test_faults_lose_and_repeat_no_move_and_leak_no_card(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = [site.ports[name] for name in WEBS]
    accounts = site.make_accounts(2 * PAIRS + SPECTATORS)
    kinds = [kind for pair in PLAYERS * (PAIRS // len(PLAYERS)) for kind in pair]
    numbered = enumerate(zip(kinds, accounts, strict=False))
    players = [kind(account, ports, SEED + n) for n, (kind, account) in numbered]
    spectators = [Spectator(one, ports, SEED) for one in accounts[2 * PAIRS :]]
    stop = threading.Event()
    all_options = RACES * (PAIRS // len(RACES))
    race_ids: list[list[str]] = [[] for _ in all_options]
    with ThreadPoolExecutor(PAIRS + SPECTATORS) as pool:
        playing: list[Future[None]] = [
            pool.submit(
                race_repeatedly,
                players[2 * n],
                players[2 * n + 1],
                options,
                race_ids[n],
            )
            for n, options in enumerate(all_options)
        ]
        watching = [
            pool.submit(watch_newest, spectator, race_ids[n % PAIRS], stop)
            for n, spectator in enumerate(spectators)
        ]
        try:
            faults = inject_faults(site, players)
        finally:
            for player in players:
                player.finish_now.set()
            wait(playing, 90)
            stop.set()
        for one in (*playing, *watching):
            one.result(10)
    # Not the races against a bot, whose moves take much longer.
    without_bots = (n for n, one in enumerate(all_options) if "house" not in one)
    wait_until_settled(site, [race_id for n in without_bots for race_id in race_ids[n]])
    clients = [*players, *spectators]
    with site.cursor() as cursor:
        races = read_stored_races(cursor)
    attempts = [attempt for player in players for attempt in player.attempts]
    times = recovery_times(faults)
    with capsys.disabled():
        report(clients, faults, times)
    assert not list(find_history_errors(attempts, races))
    received = (text for client in clients for text in client.received)
    assert not list(find_leaks(received, races))
    assert not [gap for client in clients for gap in client.gaps]
    assert "All invariants hold." in site.run_python("manage.py", "verify_invariants")
    assert sum(attempt.outcome == "ok" for attempt in attempts) > 100
    assert max(max(each) for each in times.values()) < MAX_RECOVERY_S


def wait_until_settled(site: Site, race_ids: list[str], within_s: float = 45.0) -> None:
    """Wait until all of these races that have begun are settled by the site alone."""
    deadline = time.monotonic() + within_s
    query = (
        "select race.id, race.starts_at, race.due_at, entrant.account_id, run.status,"
        " run.index, run.moved_at, now() from game_race race"
        " join game_entrant entrant on entrant.race_id = race.id"
        " left join game_run run on run.id = entrant.run_id"
        " where race.id = any(%s) and race.starts_at is not null"
        " and race.settled_at is null and race.cancelled_at is null"
    )
    while True:
        with site.cursor() as cursor:
            cursor.execute(query, (race_ids,))
            unsettled = [" ".join(map(str, row)) for row in cursor.fetchall()]
        if not unsettled:
            return
        if time.monotonic() >= deadline:
            lines = "\n".join(unsettled)
            pytest.fail(f"unsettled races:\n{lines}\n{site.logs()}")
        time.sleep(0.5)


def report(
    clients: list[RestPlayer], faults: list[Fault], times: dict[str, list[float]]
) -> None:
    attempts = [attempt for client in clients for attempt in client.attempts]
    outcomes = {
        outcome: sum(attempt.outcome == outcome for attempt in attempts)
        for outcome in ("ok", "fail", "unknown")
    }
    received = sum(len(text.payload) for one in clients for text in one.received)
    write = sys.stdout.write
    write(f"\n{len(faults)} faults; moves {outcomes}; {received} bytes received\n")
    for name, each in sorted(times.items()):
        write(
            f"next accepted move after killing {name}: "
            f"median {statistics.median(each):.2f} s, p95 {p95(each):.2f} s,"
            f" worst {max(each):.2f} s of {len(each)}\n"
        )


def p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]
