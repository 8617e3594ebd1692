"""REST moves a second and their latency, on PostgreSQL and on SQLite.

    python -m tests.bench.rest_moves [--reference FOLDER] [--rounds 5] [--seconds 3]

One Daphne process. Each client waits for an answer before it sends its next move. All
checks are on (cookie, CSRF, strict body, commit with fsync). FOLDER holds a reference
server, a bare one on the same stack: an async view with a token and raw SQL, without
rules and checks. With it ratios are printed, taken inside each round.
"""

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import psycopg

from game.management.valkey import free_port
from tests.servers import migrate, servers

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = (1, 8, 24)
# Runs of each client; enough for the fastest rate.
RUNS_EACH, RUNS_SHARED = 50, 500
MAKE_PEOPLE = """
import json, sys, django
django.setup()
from datetime import UTC, datetime
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from game.services.accounts.accounts import guest_create
from game.services.runs.runs import practice_start, run_json
from game.selectors.runs.runs import run_row
engine = import_module(settings.SESSION_ENGINE)
now = datetime.now(UTC)
people = []
for _ in range(int(sys.argv[1])):
    account = guest_create(at=now)
    session = engine.SessionStore()
    session[SESSION_KEY] = account.pk
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.save()
    runs = [practice_start(account=account, at=now) for _ in range(int(sys.argv[2]))]
    people.append({"cookie": session.session_key,
                   "runs": [run_json(run_row(run), at=now) for run in runs]})
print(json.dumps(people))
"""


def percentile(values: list[float], part: float) -> float:
    """The value that this part (0 to 1) of the values does not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]


def cpu_seconds(pid: int) -> float:
    """The user and system CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Connection:
    """A minimal keep-alive HTTP connection."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def post(self, path: str, body: bytes, headers: str) -> tuple[int, bytes]:
        """Send a POST; returns the status and body of the answer."""
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        low = head.lower()
        if b"content-length:" in low:
            length = int(low.split(b"content-length:")[1].split(b"\r\n")[0])
            return status, await self.reader.readexactly(length)
        return status, await self._chunks()

    async def _chunks(self) -> bytes:
        whole = b""
        while True:
            size = int(await self.reader.readline(), 16)
            whole += await self.reader.readexactly(size + 2)
            if size == 0:
                return whole


class Player:
    """Plays its runs one after the other, choosing the moves with least damage."""

    def __init__(self, person: dict[str, Any]) -> None:
        token = "b" * 32
        self.headers = (
            f"Cookie: sessionid={person['cookie']}; csrftoken={token}\r\n"
            f"X-CSRFToken: {token}\r\n"
        )
        self.runs = person["runs"]
        self.number = 0

    def next_request(self) -> tuple[str, bytes, str]:
        """Path, body and headers of the next request."""
        run = self.runs[0]
        best = min(run["legal"], key=lambda m: (m["move"] != "avoid", m["damage"]))
        self.number += 1
        key = f"{run['id']}-{self.number}"
        body = {"index": run["index"], "move": best["move"], "key": key}
        path = f"/api/v1/runs/{run['id']}/moves/"
        return path, json.dumps(body).encode(), self.headers

    def take_answer(self, status: int, body: bytes) -> None:
        """Take the run of the answer over; exits unless the move was accepted."""
        if status != 200:
            raise SystemExit(f"{status} {body[:300]!r}")
        run = json.loads(body)["run"]
        self.runs[0] = run
        if run["status"] != "playing":
            self.runs.pop(0)
            if not self.runs:
                raise SystemExit("out of runs: raise RUNS_EACH")


class ReferencePlayer:
    """Makes the requests of the reference server."""

    def __init__(self, number: int, token: str) -> None:
        self.number, self.seq = number, 0
        self.headers = f"Authorization: Token {token}\r\n"

    def next_request(self) -> tuple[str, bytes, str]:
        """Path, body and headers of the next request."""
        self.seq += 1
        key = f"{self.number:08d}-0000-0000-0000-{time.monotonic_ns() % 10**12:012d}"
        body = {"seq": self.seq, "key": key, "code": "JSw"}
        return f"/async/raw/{self.number}", json.dumps(body).encode(), self.headers

    def take_answer(self, status: int, body: bytes) -> None:
        """Exit unless the move was accepted."""
        if status != 200:
            raise SystemExit(f"reference: {status} {body[:300]!r}")


async def measure(
    port: int, pid: int, players: list[Any], seconds: float
) -> dict[str, float]:
    """Let the players play: moves a second, latencies in ms, CPU ms a move."""
    times: list[float] = []
    spent = 0.0
    connections = [Connection(port) for _ in players]
    for connection in connections:
        await connection.open()
    stop = time.monotonic() + 0.5 + seconds
    warm = time.monotonic() + 0.5

    async def play(connection: Connection, player: Any) -> None:
        while time.monotonic() < stop:
            path, body, headers = player.next_request()
            started = time.monotonic()
            player.take_answer(*await connection.post(path, body, headers))
            if started >= warm:
                times.append(time.monotonic() - started)

    async def measure_cpu() -> None:
        nonlocal spent
        await asyncio.sleep(0.5)
        before = cpu_seconds(pid)
        await asyncio.sleep(seconds)
        spent = cpu_seconds(pid) - before

    work = [
        play(connection, player)
        for connection, player in zip(connections, players, strict=True)
    ]
    await asyncio.gather(measure_cpu(), *work)
    for connection in connections:
        connection.writer.close()
    return {
        "rate": len(times) / seconds,
        "p50": percentile(times, 0.5) * 1e3,
        "p95": percentile(times, 0.95) * 1e3,
        "p99": percentile(times, 0.99) * 1e3,
        "cpu": spent / len(times) * 1e3,
    }


class Server:
    """A Daphne process."""

    def __init__(self, application: str, folder: Path, environ: dict[str, str]) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p"]
        self.child = subprocess.Popen(
            [*command, str(self.port), "--access-log", "/dev/null", application],
            cwd=folder,
            env={**os.environ, **environ},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    async def wait(self) -> None:
        """Wait until it accepts connections."""
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
        raise SystemExit("a server did not start")

    def stop(self) -> None:
        """Stop it."""
        self.child.terminate()
        self.child.wait(20)


def make_people(environ: dict[str, str], count: int) -> list[dict[str, Any]]:
    """Make accounts with a session and practice runs."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            MAKE_PEOPLE,
            str(count),
            str(RUNS_EACH + RUNS_SHARED // count),
        ],
        cwd=ROOT,
        env={**os.environ, **environ},
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def reference_environ(folder: Path, url: str) -> tuple[dict[str, str], str]:
    """Make the reference server's database; returns its environment and a token."""
    rest, _, _ = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("create database floor")
        port = admin.info.port
        password = admin.info.password
    token = "reference-token"
    with psycopg.connect(f"{rest}/floor", autocommit=True) as made:
        made.execute((folder / "floor" / "schema.sql").read_text().encode())
        digest = hashlib.sha256(token.encode()).hexdigest()
        made.execute(
            "insert into f_token values (%s, 1, now() + interval '1 day')", (digest,)
        )
    dsn = f"host=127.0.0.1 port={port} dbname=floor user=postgres password={password}"
    return {
        "FLOOR_PGPORT": str(port),
        "FLOOR_DSN": dsn,
        "PGPASSWORD": password,
        "DJANGO_SETTINGS_MODULE": "settings",
    }, token


async def bench(options: argparse.Namespace, url: str, folder: str) -> None:
    """Measure all rounds and print the report."""
    product = {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.dev"}
    product["VAR_DIR"] = folder
    product |= {"MOVES_A_SECOND": "0", "THROTTLE_SCALE": "0"}
    bases = {
        "postgresql": {**product, "DATABASE_URL": url},
        "sqlite": {**product, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"},
    }
    for environ in bases.values():
        migrate({**os.environ, **environ})
    reference = reference_environ(options.reference, url) if options.reference else None
    found: dict[tuple[str, int], list[dict[str, float]]] = defaultdict(list)
    for number in range(options.rounds):
        for name in [*bases, *(["reference"] if reference else [])]:
            if name == "reference" and reference:
                server = Server(
                    "asgi:application", options.reference / "floor", reference[0]
                )
            else:
                environ = bases[name]
                server = Server("scoundrel_site.asgi:application", ROOT, environ)
            try:
                await server.wait()
                for count in CLIENTS:
                    players: list[Any]
                    if name == "reference" and reference:
                        players = [
                            ReferencePlayer(n + 1, reference[1]) for n in range(count)
                        ]
                    else:
                        people = make_people(bases[name], count)
                        players = [Player(person) for person in people]
                    one = await measure(
                        server.port, server.child.pid, players, options.seconds
                    )
                    found[name, count].append(one)
                    print(number, name, count, {k: round(v, 2) for k, v in one.items()})
            finally:
                server.stop()
    report(found)


def report(found: dict[tuple[str, int], list[dict[str, float]]]) -> None:
    """Print the medians, and the ratios to the reference inside each round."""
    print(
        f"{'':12}{'clients':>8}{'rate':>8}{'p50':>8}{'p95':>8}{'p99':>8}{'cpu ms':>8}"
    )
    for (name, count), rounds in found.items():
        row = [statistics.median(r[k] for r in rounds) for k in rounds[0]]
        print(f"{name:12}{count:8}" + "".join(f"{v:8.2f}" for v in row))
    for (name, count), rounds in found.items():
        base = found.get(("reference", count))
        if name == "reference" or not base:
            continue
        for what in ("rate", "cpu"):
            ratios = [a[what] / b[what] for a, b in zip(rounds, base, strict=True)]
            print(f"{name} / reference, {count} clients, {what}: "
                  f"{statistics.median(ratios):.2f}")  # fmt: skip


def main() -> None:
    """Start the servers and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    with (
        servers(with_database=True, with_redis=False, durable=True) as environ,
        tempfile.TemporaryDirectory() as folder,
    ):
        asyncio.run(bench(options, environ["DATABASE_URL"], folder))


if __name__ == "__main__":
    main()
