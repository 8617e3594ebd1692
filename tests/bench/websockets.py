"""Moves, spectators and joins over websockets, on a site of this program's own.

    python -m tests.bench.websockets [PART ...] [--rounds 5] [--reference FOLDER]

PART is moves, paced, two, fan, rest or joins; all of them otherwise. Prints a line for
each measurement and then the medians. FOLDER holds a reference server, a bare one on
the same stack without rules and accounts; with it `moves` and `fan` also give ratios,
taken inside each round. Run it on a machine that does nothing else.
"""

import argparse
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
from tests.bench.bench_site import Site, bench_site

CLIENTS, MOVES_S = 24, 3.0
PACED_CLIENTS, MOVE_EVERY_S, PACED_S = 64, 0.5, 5.0
SPECTATORS, EVENTS_PER_S, FAN_OUT_S = 1000, 2.0, 6.0
ACCOUNTS = 200

Figures = dict[str, Any]
People = list[tuple[str, str]]


class Reference:
    """The reference server and its programs that make load."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder, self.port = folder, free_port()
        database = urlsplit(database_url)
        dsn = f"host=127.0.0.1 port={database.port} dbname=floor user=postgres"
        self.environ = {
            **os.environ,
            "VENV": str(Path(sys.executable).parents[1]),
            "WORK": os.environ["VAR_DIR"],
            "FLOOR_PGPORT": str(database.port),
            "PGPASSWORD": database.password or "",
            "FLOOR_DSN": dsn,
            "FLOOR_REDIS": os.environ["REDIS_URL"],
            "DJANGO_SETTINGS_MODULE": "settings",
        }
        _make_database(database_url, folder)

    @contextmanager
    def running(self) -> Iterator[str]:
        """Run the server; gives its process id."""
        script = str(self.folder / "floor_run.sh")
        subprocess.run(
            ["bash", script, "start", "daphne", str(self.port)],
            env=self.environ, check=True,
        )  # fmt: skip
        try:
            yield Path(self.environ["WORK"], "floor.pid").read_text().strip()
        finally:
            subprocess.run(["bash", script, "stop"], env=self.environ, check=True)

    def load(self, program: str, *arguments: object) -> Figures:
        """Run one of its load programs; returns the figures that it prints."""
        command = [sys.executable, str(self.folder / program), *map(str, arguments)]
        done = subprocess.run(
            command, env=self.environ, capture_output=True, text=True, check=True
        )
        figures: Figures = json.loads(done.stdout)
        return figures


def _make_database(database_url: str, folder: Path) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE floor")
    reference_url = urlsplit(database_url)._replace(path="/floor").geturl()
    with psycopg.connect(reference_url, autocommit=True) as connection:
        connection.execute((folder / "floor/schema.sql").read_text().encode())


# These import models, so they are imported after Django is set up.
def _players() -> Any:
    return import_module("tests.bench.socket_players")


def _loads() -> Any:
    return import_module("tests.bench.socket_loads")


def moves(site: Site, people: People, reference: Reference | None) -> Figures:
    """24 clients that play at full speed."""
    runs = _players().start_races(CLIENTS // 2 * 6, people)
    ours = asyncio.run(_loads().measure_full_speed([site], runs, CLIENTS, MOVES_S))
    if reference is None:
        return {"ours": ours}
    with reference.running() as pid:
        raw, orm = (
            reference.load(
                "load_move.py", "ws", reference.port, path, pid, CLIENTS, MOVES_S
            )
            for path in ("/ws/raw", "/ws/orm")
        )
    return {
        "ours": ours,
        "raw": {name: raw[name] for name in ("rate", "p50", "p99", "srv_cpu_ms")},
        "orm": {name: orm[name] for name in ("rate", "p50", "p99", "srv_cpu_ms")},
        "rate / raw": ours["rate"] / raw["rate"],
        "rate / orm": ours["rate"] / orm["rate"],
        "cpu / raw": ours["cpu_ms"] / raw["srv_cpu_ms"],
    }


def paced(site: Site, people: People, _: Reference | None) -> Figures:
    """64 clients that play two moves a second each, at fixed times."""
    runs = _players().start_races(PACED_CLIENTS, people)
    load = _loads().measure_paced_moves(
        site, runs, PACED_CLIENTS, MOVE_EVERY_S, PACED_S
    )
    figures: Figures = asyncio.run(load)
    return figures


def two(site: Site, people: People, _: Reference | None) -> Figures:
    """The full-speed clients on one web process, and on two, opponents apart."""
    runs = _players().start_races(CLIENTS // 2 * 6, people)
    one = asyncio.run(_loads().measure_full_speed([site], runs, CLIENTS, MOVES_S))
    with site.second_process() as other:
        runs = _players().start_races(CLIENTS // 2 * 6, people)
        both = asyncio.run(
            _loads().measure_full_speed([site, other], runs, CLIENTS, MOVES_S)
        )
    return {"one": one, "two": both, "two / one": both["rate"] / one["rate"]}


def fan(site: Site, people: People, reference: Reference | None) -> Figures:
    """1,000 spectators of a race with two moves a second."""
    runs = _players().start_races(1, people)
    ours = asyncio.run(
        _loads().measure_deliveries(
            site, runs, people, SPECTATORS, EVENTS_PER_S, FAN_OUT_S
        )
    )
    if reference is None:
        return {"ours": ours}
    with reference.running() as pid:
        amount = (SPECTATORS, EVENTS_PER_S, FAN_OUT_S)
        hub, group = (
            reference.load("load_fan.py", reference.port, path, pid, *amount)
            for path in ("/ws/hub", "/ws/group")
        )
    names = ("delivered", "p50", "p99", "cpu_ms_delivery")
    return {
        "ours": ours,
        "hub": {name: hub[name] for name in names},
        "group": {name: group[name] for name in names},
        "p99 / hub": ours["p99"] / hub["p99"],
        "cpu / hub": ours["cpu_ms"] / hub["cpu_ms_delivery"],
        "cpu / group": ours["cpu_ms"] / group["cpu_ms_delivery"],
    }


def rest(site: Site, people: People, _: Reference | None) -> Figures:
    """The time from a move to the opponent's event, with no other load."""
    runs = _players().start_races(4, people)
    figures: Figures = asyncio.run(_loads().measure_single_moves(site, runs))
    return figures


def joins(site: Site, people: People, _: Reference | None) -> Figures:
    """Spectators a second that connect and get their first snapshot."""
    runs = _players().start_races(1, people)
    figures: Figures = asyncio.run(_loads().measure_joins(site, runs, people))
    return figures


Part = Callable[[Site, People, Reference | None], Figures]
PARTS: dict[str, Part] = {
    "moves": moves,
    "paced": paced,
    "two": two,
    "fan": fan,
    "rest": rest,
    "joins": joins,
}


def main() -> None:
    """Measure all parts in rounds, then print the median of each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reference", type=Path)
    options = parser.parse_args()
    parts = {name: PARTS[name] for name in options.parts or PARTS}
    with bench_site() as site:
        reference = None
        if options.reference:
            reference = Reference(options.reference, os.environ["DATABASE_URL"])
        people = _players().make_people(ACCOUNTS)
        figures: dict[str, list[Figures]] = {name: [] for name in parts}
        for _ in range(options.rounds):
            for name, part in parts.items():
                figures[name].append(part(site, people, reference))
                print(f"{name}: {json.dumps(figures[name][-1])}", flush=True)
        for name, rounds in figures.items():
            print(f"{name}, median: {json.dumps(_median(rounds))}")
        print(site.log.read_text()[-2000:])


def _median(values: list[Any]) -> Any:
    if isinstance(values[0], dict):
        return {name: _median([one[name] for one in values]) for name in values[0]}
    return round(statistics.median(values), 3)


if __name__ == "__main__":
    main()
