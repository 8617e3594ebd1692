"""Eight clients race while everything is killed under them, again and again.

Web processes, the worker, Valkey and PostgreSQL, in an order that a seed gives. Then
the histories are held against the tables: nothing that was acknowledged is lost,
nothing has happened twice, nobody has read what he could not know. Recovery times are
printed. `NEMESIS_SIZE=5` is the big one, by hand: 24 clients, 40 watchers, 45 faults of
which some only pause what they fall on.
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

from tests.faults.racers import Dropper, Racer, Socketed, TwoTabs, Watcher
from tests.faults.record import history_breaches, leaks
from tests.faults.sites import WEBS, Site, running_site
from tests.faults.truth import truth_of

SIZE = int(os.environ.get("NEMESIS_SIZE", "1"))
pytestmark = [pytest.mark.slow, pytest.mark.timeout(170 if SIZE == 1 else 1500)]

PAIRS, WATCHERS = (4, 1) if SIZE == 1 else (12, 40)
# One fault in so many is a pause, where there are many.
PAUSED_OF = 4
SEED = int(os.environ.get("NEMESIS_SEED", "5"))
# How often each is killed, and how long it stays away, in seconds.
FAULTS = {"web 1": 2, "web 2": 1, "worker": 2, "valkey": 2, "postgresql": 2}
FAULTS = {name: SIZE * count for name, count in FAULTS.items()}
AWAY_S, BETWEEN_S = (0.2, 1.0), (2.5, 4.0)
RACES: tuple[dict[str, Any], ...] = (
    {"rated": True},
    {"rated": True, "format": "speed"},
    {},
    {"seats": 3, "house": "House Rat"},
)
KINDS = ((Socketed, TwoTabs), (Socketed, Racer), (Dropper, Socketed), (TwoTabs, Racer))
# Generous: this machine may have other things to do. The real figures are printed.
SLOWEST_S = 30.0


class Fault(NamedTuple):
    """What was killed when, by a monotonic clock; `mourners` had hung on it."""

    name: str
    at: float
    mourners: list[Racer]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A site of this test's own."""
    with running_site() as found:
        yield found


def pair(host: Racer, guest: Racer, asked: dict[str, Any], seen: list[str]) -> None:
    """Two clients race and race again, until they are told to hurry."""
    invited: queue.Queue[str | None] = queue.Queue()

    def follow() -> None:
        try:
            while (race_id := invited.get(timeout=120)) is not None:
                guest.race(race_id)
        finally:
            host.hurry.set()

    with ThreadPoolExecutor(1) as other:
        following = other.submit(follow)
        try:
            while not (host.hurry.is_set() or following.done()):
                race_id = host.make(**asked)
                seen.append(race_id)
                invited.put(race_id)
                host.race(race_id)
        finally:
            invited.put(None)
        following.result(90)


def look_on(watcher: Watcher, seen: list[str], enough: threading.Event) -> None:
    """Watch whatever race of these is the newest."""
    while not enough.wait(0.2 * min(SIZE, 5)):
        if seen:
            watcher.watch(seen[-1], enough)


def torment(site: Site, racers: list[Racer]) -> list[Fault]:
    """Kill and restart by the schedule; what was done."""
    chance = random.Random(SEED)
    names = [name for name, count in FAULTS.items() for _ in range(count)]
    chance.shuffle(names)
    done = []
    time.sleep(6)  # until they play
    for name in names:
        time.sleep(chance.uniform(*BETWEEN_S))
        if any(racer.hurry.is_set() for racer in racers):
            break  # a client has failed: the test will say how
        hanging = [one for one in racers if name not in WEBS or on(site, one, name)]
        if name in WEBS:
            site.wait(*WEBS)  # one of them stands at any time
        away_s = chance.uniform(*AWAY_S)
        if SIZE > 1 and chance.randrange(PAUSED_OF) == 0:
            done.append(Fault(f"{name} (paused)", time.monotonic(), hanging))
            site.pause(name, away_s)
            continue
        done.append(Fault(name, time.monotonic(), hanging))
        site.kill(name)
        time.sleep(away_s)
        site.children[name].start()
        if name not in WEBS:
            site.wait(name)
    site.wait(*WEBS)
    time.sleep(2)
    return done


def on(site: Site, racer: Racer, name: str) -> bool:
    return racer.port == site.ports[name]


def recoveries(faults: list[Fault]) -> dict[str, list[float]]:
    """Seconds until each client that was in a run had its next move accepted; the
    next fault may have come before.
    """
    found: dict[str, list[float]] = {}
    for fault in faults:
        words = fault.name.split()
        name = words[0] + (" (paused)" if "(paused)" in words else "")
        for racer in fault.mourners:
            spans = [b for a, b in racer.spans if a <= fault.at <= b]
            until = spans[0] if spans else 0.0
            following = (at for at in racer.accepted if fault.at < at <= until)
            at = next(following, None)
            if at is not None:
                found.setdefault(name, []).append(at - fault.at)
    return found


def test_nothing_is_lost_nothing_doubled_nothing_told(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = [site.ports[name] for name in WEBS]
    people = site.people(2 * PAIRS + WATCHERS)
    kinds = [kind for two in KINDS * (PAIRS // len(KINDS)) for kind in two]
    numbered = enumerate(zip(kinds, people, strict=False))
    racers = [kind(who, ports, SEED + n) for n, (kind, who) in numbered]
    watchers = [Watcher(who, ports, SEED) for who in people[2 * PAIRS :]]
    enough = threading.Event()
    asked_for = RACES * (PAIRS // len(RACES))
    seen: list[list[str]] = [[] for _ in asked_for]
    with ThreadPoolExecutor(PAIRS + WATCHERS) as pool:
        playing: list[Future[None]] = [
            pool.submit(pair, racers[2 * n], racers[2 * n + 1], asked, seen[n])
            for n, asked in enumerate(asked_for)
        ]
        watching = [
            pool.submit(look_on, watcher, seen[n % PAIRS], enough)
            for n, watcher in enumerate(watchers)
        ]
        try:
            faults = torment(site, racers)
        finally:
            for racer in racers:
                racer.hurry.set()
            wait(playing, 90)
            enough.set()
        for one in (*playing, *watching):
            one.result(10)
    # Without those against the house: its turns may be far from over.
    people_only = (n for n, asked in enumerate(asked_for) if "house" not in asked)
    settled(site, [race_id for n in people_only for race_id in seen[n]])
    everybody = [*racers, *watchers]
    with site.cursor() as cursor:
        truth = truth_of(cursor)
    tries = [one for racer in racers for one in racer.tries]
    times = recoveries(faults)
    with capsys.disabled():
        report(everybody, faults, times)
    assert not list(history_breaches(tries, truth))
    assert not list(leaks((it for one in everybody for it in one.reads), truth))
    assert not [hole for one in everybody for hole in one.holes]
    assert "All invariants hold." in site.python("manage.py", "verify_invariants")
    assert sum(one.outcome == "ok" for one in tries) > 100
    assert max(max(each) for each in times.values()) < SLOWEST_S


def settled(site: Site, race_ids: list[str], within_s: float = 45.0) -> None:
    """Wait until whatever of these has begun is settled: nobody is left to ask."""
    deadline = time.monotonic() + within_s
    asked = (
        "select count(*) from game_race where id = any(%s) and starts_at is not null"
        " and settled_at is null and cancelled_at is null"
    )
    while True:
        with site.cursor() as cursor:
            cursor.execute(asked, (race_ids,))
            left = cursor.fetchone()[0]
        if not left:
            return
        assert time.monotonic() < deadline, f"{left} races unsettled {site.logs()}"
        time.sleep(0.5)


def report(
    everybody: list[Racer], faults: list[Fault], times: dict[str, list[float]]
) -> None:
    tries = [one for racer in everybody for one in racer.tries]
    outcomes = {
        what: sum(one.outcome == what for one in tries)
        for what in ("ok", "fail", "unknown")
    }
    read = sum(len(it.payload) for one in everybody for it in one.reads)
    say = sys.stdout.write
    say(f"\n{len(faults)} faults; moves {outcomes}; {read} bytes read\n")
    for name, each in sorted(times.items()):
        middle, worst = statistics.median(each), max(each)
        say(
            f"next accepted move after killing {name}: "
            f"median {middle:.2f} s, p95 {p95(each):.2f} s,"
            f" worst {worst:.2f} s of {len(each)}\n"
        )


def p95(each: list[float]) -> float:
    return sorted(each)[int(0.95 * (len(each) - 1))]
