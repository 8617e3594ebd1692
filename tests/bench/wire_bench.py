"""The wire beside the floor: `python -m tests.bench.wire_bench FLOOR [ROUNDS] [PART]`.

FLOOR is the folder of the bare server to be measured against (its README says what it
is); it runs on the same PostgreSQL, in the same rounds, and ratios are taken inside a
round. PART is moves, paced, two, fan, rest or joins; all of them otherwise. By hand
only, on a machine that does nothing else.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from game.management.valkey import free_port
from tests.bench.wire_site import Site, bench_site

CLIENTS, SECONDS = 24, 3.0
PACED, EVERY_S, PACED_S = 64, 0.5, 5.0
# What a race on racetime.gg's code did: actions a second.
RACETIME_A_S = 9.5
SPECTATORS, EVENTS_S, FAN_S = FAN = 1000, 2.0, 6.0


class Floor:
    """The bare server, and its generators of load."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.port = folder, free_port()
        where = urlsplit(database)
        self.environ = {
            **os.environ,
            "VENV": str(Path(sys.executable).parents[1]),
            "WORK": os.environ["VAR_DIR"],
            "FLOOR_PGPORT": str(where.port),
            "PGPASSWORD": where.password or "",
            "FLOOR_DSN": f"host=127.0.0.1 port={where.port} dbname=floor user=postgres",
            "FLOOR_REDIS": os.environ["REDIS_URL"],
            "DJANGO_SETTINGS_MODULE": "settings",
        }
        _make_database(database, folder)

    @contextmanager
    def running(self) -> Iterator[str]:
        """Its process id, while it runs."""
        script = str(self.folder / "floor_run.sh")
        subprocess.run(
            ["bash", script, "start", "daphne", str(self.port)],
            env=self.environ, check=True,
        )  # fmt: skip
        try:
            yield Path(self.environ["WORK"], "floor.pid").read_text().strip()
        finally:
            subprocess.run(["bash", script, "stop"], env=self.environ, check=True)

    def load(self, program: str, *words: object) -> dict[str, Any]:
        """One of its loads; what it prints."""
        command = [sys.executable, str(self.folder / program), *map(str, words)]
        done = subprocess.run(
            command, env=self.environ, capture_output=True, text=True, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def _make_database(address: str, folder: Path) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE DATABASE floor")
    there = urlsplit(address)._replace(path="/floor").geturl()
    with psycopg.connect(there, autocommit=True) as connection:
        connection.execute((folder / "floor/schema.sql").read_text().encode())


def _people() -> Any:
    # It names models, so it waits for Django.
    return import_module("tests.bench.wire_people")


def _load() -> Any:
    return import_module("tests.bench.wire_load")


def moves(site: Site, floor: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """24 clients at full speed: ours, and the floor's raw path and ORM path."""
    load, made = _load(), _people()
    runners = made.races(CLIENTS // 2 * 6, people)
    ours = asyncio.run(load.move_rounds([site], runners, CLIENTS, SECONDS))
    with floor.running() as pid:
        found = {
            path: floor.load(
                "load_move.py", "ws", floor.port, f"/ws/{path}", pid, CLIENTS, SECONDS
            )
            for path in ("raw", "orm")
        }
    raw, orm = found["raw"], found["orm"]
    return {
        "ours": ours,
        "raw": {name: raw[name] for name in ("rate", "p50", "p99", "srv_cpu_ms")},
        "orm": {name: orm[name] for name in ("rate", "p50", "p99", "srv_cpu_ms")},
        "rate_of_raw": ours["rate"] / raw["rate"],
        "rate_of_orm": ours["rate"] / orm["rate"],
        "cpu_of_raw": ours["cpu_ms"] / raw["srv_cpu_ms"],
        "rate_of_racetime": ours["rate"] / RACETIME_A_S,
    }


def paced(site: Site, _: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """64 clients at two moves a second, each due at its time."""
    runners = _people().races(PACED, people)
    load = _load().paced(site, runners, PACED, EVERY_S, PACED_S)
    found: dict[str, Any] = asyncio.run(load)
    return found


def two(site: Site, _: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """The racers over one web process, and over two with opponents apart."""
    load, made = _load(), _people()
    runners = made.races(CLIENTS // 2 * 6, people)
    one = asyncio.run(load.move_rounds([site], runners, CLIENTS, SECONDS))
    with site.another() as other:
        runners = made.races(CLIENTS // 2 * 6, people)
        both = asyncio.run(load.move_rounds([site, other], runners, CLIENTS, SECONDS))
    return {"one": one, "both": both, "more": both["rate"] / one["rate"]}


def fan_out(site: Site, floor: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """1,000 spectators at two events a second, and the players meanwhile."""
    runners = _people().races(1, people)
    ours = asyncio.run(_load().fan(site, runners, people, SPECTATORS, EVENTS_S, FAN_S))
    with floor.running() as pid:
        hub, group = (
            floor.load(
                "load_fan.py", floor.port, path, pid, SPECTATORS, EVENTS_S, FAN_S
            )
            for path in ("/ws/hub", "/ws/group")
        )
    told = ("delivered", "p50", "p99", "cpu_ms_delivery")
    return {
        "ours": ours,
        "hub": {name: hub[name] for name in told},
        "group": {name: group[name] for name in told},
        "p99_of_hub": ours["p99"] / hub["p99"],
        "cpu_of_hub": ours["cpu_ms"] / hub["cpu_ms_delivery"],
        "cpu_of_group": ours["cpu_ms"] / group["cpu_ms_delivery"],
    }


def at_rest(site: Site, _: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """One race of two: how long an action takes to the opponent."""
    found: dict[str, Any] = asyncio.run(_load().rest(site, _people().races(4, people)))
    return found


def joining(site: Site, _: Floor, people: list[tuple[str, str]]) -> dict[str, Any]:
    """How many spectators a second get in, with their first snapshot."""
    runners = _people().races(1, people)
    found: dict[str, Any] = asyncio.run(_load().joins(site, runners, people))
    return found


Part = Callable[[Site, Floor, list[tuple[str, str]]], dict[str, Any]]
PARTS: dict[str, Part] = {
    "moves": moves,
    "paced": paced,
    "two": two,
    "fan": fan_out,
    "rest": at_rest,
    "joins": joining,
}


def main() -> None:
    """Rounds of all parts, then the median of each number."""
    folder, *more = sys.argv[1:]
    rounds = int(more[0]) if more else 5
    wanted = {name: PARTS[name] for name in more[1:] or PARTS}
    with bench_site() as site:
        floor = Floor(Path(folder), os.environ["DATABASE_URL"])
        people = _people().cookies(200)
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in wanted}
        for _ in range(rounds):
            for name, part in wanted.items():
                found[name].append(part(site, floor, people))
                sys.stdout.write(f"{name}: {json.dumps(found[name][-1])}\n")
                sys.stdout.flush()
        for name, all_of_it in found.items():
            sys.stdout.write(f"{name}, median: {json.dumps(_median(all_of_it))}\n")
        sys.stdout.write(site.log.read_text()[-2000:])


def _median(found: list[Any]) -> Any:
    if isinstance(found[0], dict):
        return {name: _median([one[name] for one in found]) for name in found[0]}
    return round(statistics.median(found), 3)


if __name__ == "__main__":
    main()
