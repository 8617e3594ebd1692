"""REST moves a second, beside the floor of the stack, in the same rounds.

    python -m tests.bench.rest_moves [--floor FOLDER] [--rounds 5] [--seconds 3]

One Daphne process; closed loop: each client waits for its answer before its next move;
everything is switched on (cookie, CSRF, strict body, commit with fsync). The floor's
async view (token, raw SQL, no engine, no check) runs in the same round where its folder
is given. Prints a line a measurement and the medians, with ratios inside the rounds.
Loopback only, and bounded: rounds x clients x seconds.
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
from tests.servers import servers

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = (1, 8, 24)
RUNS_EACH, RUNS_SHARED = 50, 500  # enough for a second of the fastest rate and more
MAKE = """
import json, sys, django
django.setup()
from datetime import UTC, datetime
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from game.services.accounts.accounts import guest_create
from game.services.runs.runs import practice_start, run_json
from game.selectors.runs.runs import row_of
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
                   "runs": [run_json(row_of(run), at=now) for run in runs]})
print(json.dumps(people))
"""
FLOOR_SEED = "delete from f_event; delete from f_move; update f_run set head = 0;"


def percentile(values: list[float], part: float) -> float:
    """The value that this part of them does not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]


def cpu_seconds(pid: int) -> float:
    """User and system seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Connection:
    """One keep-alive HTTP connection, as small as can be."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        """Connect, on loopback."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def post(self, path: str, body: bytes, headers: str) -> tuple[int, bytes]:
        """The status and body of the answer."""
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
    """Plays its runs one after another: the least damage, armed where it can."""

    def __init__(self, person: dict[str, Any]) -> None:
        token = "b" * 32
        self.headers = (
            f"Cookie: sessionid={person['cookie']}; csrftoken={token}\r\n"
            f"X-CSRFToken: {token}\r\n"
        )
        self.runs = person["runs"]
        self.number = 0

    def next(self) -> tuple[str, bytes, str]:
        """The next request."""
        run = self.runs[0]
        best = min(run["legal"], key=lambda m: (m["move"] != "avoid", m["damage"]))
        self.number += 1
        key = f"{run['id']}-{self.number}"
        body = {"index": run["index"], "move": best["move"], "key": key}
        path = f"/api/v1/runs/{run['id']}/moves/"
        return path, json.dumps(body).encode(), self.headers

    def heard(self, status: int, body: bytes) -> bool:
        """Note the answer; whether it was a committed move."""
        if status != 200:
            raise SystemExit(f"{status} {body[:300]!r}")
        run = json.loads(body)["run"]
        self.runs[0] = run
        if run["status"] != "playing":
            self.runs.pop(0)
            if not self.runs:
                raise SystemExit("out of runs: raise RUNS_EACH")
        return True


class FloorPlayer:
    """The floor's own request."""

    def __init__(self, number: int, token: str) -> None:
        self.number, self.seq = number, 0
        self.headers = f"Authorization: Token {token}\r\n"

    def next(self) -> tuple[str, bytes, str]:
        """The next request."""
        self.seq += 1
        key = f"{self.number:08d}-0000-0000-0000-{time.monotonic_ns() % 10**12:012d}"
        body = {"seq": self.seq, "key": key, "code": "JSw"}
        return f"/async/raw/{self.number}", json.dumps(body).encode(), self.headers

    def heard(self, status: int, body: bytes) -> bool:
        """Whether it was a committed move."""
        if status != 200:
            raise SystemExit(f"floor: {status} {body[:300]!r}")
        return True


async def measure(
    port: int, pid: int, players: list[Any], seconds: float
) -> dict[str, float]:
    """Rate, p50, p95, p99 in ms and CPU ms a move of a closed loop."""
    taken: list[float] = []
    spent = 0.0
    links = [Connection(port) for _ in players]
    for link in links:
        await link.open()
    stop = time.monotonic() + 0.5 + seconds
    warm = time.monotonic() + 0.5

    async def one(link: Connection, player: Any) -> None:
        while time.monotonic() < stop:
            path, body, headers = player.next()
            begun = time.monotonic()
            player.heard(*await link.post(path, body, headers))
            if begun >= warm:
                taken.append(time.monotonic() - begun)

    async def cpu() -> None:
        nonlocal spent
        await asyncio.sleep(0.5)
        before = cpu_seconds(pid)
        await asyncio.sleep(seconds)
        spent = cpu_seconds(pid) - before

    work = [one(link, player) for link, player in zip(links, players, strict=True)]
    await asyncio.gather(cpu(), *work)
    for link in links:
        link.writer.close()
    return {
        "rate": len(taken) / seconds,
        "p50": percentile(taken, 0.5) * 1e3,
        "p95": percentile(taken, 0.95) * 1e3,
        "p99": percentile(taken, 0.99) * 1e3,
        "cpu": spent / len(taken) * 1e3,
    }


class Server:
    """A Daphne of ours, ended by its pid."""

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

    async def ready(self) -> None:
        """Wait until it listens."""
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
        raise SystemExit("a server did not come up")

    def end(self) -> None:
        """Stop it."""
        self.child.terminate()
        self.child.wait(20)


def make_people(environ: dict[str, str], count: int) -> list[dict[str, Any]]:
    """Accounts with a session and runs to play, made by the product itself."""
    said = subprocess.run(
        [sys.executable, "-c", MAKE, str(count), str(RUNS_EACH + RUNS_SHARED // count)],
        cwd=ROOT,
        env={**os.environ, **environ},
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[dict[str, Any]] = json.loads(said.stdout)
    return found


def floor_environ(floor: Path, url: str) -> tuple[dict[str, str], str]:
    """The floor's database made, its environment, and a token."""
    rest, _, _ = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("create database floor")
        port = admin.info.port
        password = admin.info.password
    token = "floor-token"
    with psycopg.connect(f"{rest}/floor", autocommit=True) as made:
        made.execute((floor / "floor" / "schema.sql").read_text().encode())
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


async def bench(asked: argparse.Namespace, url: str, folder: str) -> None:
    """All rounds."""
    product = {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.dev"}
    product["VAR_DIR"] = folder
    product |= {"MOVES_A_SECOND": "0", "THROTTLE_SCALE": "0"}
    bases = {
        "postgresql": {**product, "DATABASE_URL": url},
        "sqlite": {**product, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"},
    }
    for environ in bases.values():
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"],
            cwd=ROOT, env={**os.environ, **environ}, check=True,
        )  # fmt: skip
    floor = floor_environ(asked.floor, url) if asked.floor else None
    found: dict[tuple[str, int], list[dict[str, float]]] = defaultdict(list)
    for number in range(asked.rounds):
        for name in [*bases, *(["floor"] if floor else [])]:
            if name == "floor" and floor:
                server = Server("asgi:application", asked.floor / "floor", floor[0])
            else:
                environ = bases[name]
                server = Server("scoundrel_site.asgi:application", ROOT, environ)
            try:
                await server.ready()
                for count in CLIENTS:
                    players: list[Any]
                    if name == "floor" and floor:
                        players = [FloorPlayer(n + 1, floor[1]) for n in range(count)]
                    else:
                        people = make_people(bases[name], count)
                        players = [Player(person) for person in people]
                    one = await measure(
                        server.port, server.child.pid, players, asked.seconds
                    )
                    found[name, count].append(one)
                    print(number, name, count, {k: round(v, 2) for k, v in one.items()})
            finally:
                server.end()
    report(found)


def report(found: dict[tuple[str, int], list[dict[str, float]]]) -> None:
    """Medians, and ratios to the floor inside each round."""
    print(
        f"{'':12}{'clients':>8}{'rate':>8}{'p50':>8}{'p95':>8}{'p99':>8}{'cpu ms':>8}"
    )
    for (name, count), rounds in found.items():
        row = [statistics.median(r[k] for r in rounds) for k in rounds[0]]
        print(f"{name:12}{count:8}" + "".join(f"{v:8.2f}" for v in row))
    for (name, count), rounds in found.items():
        base = found.get(("floor", count))
        if name == "floor" or not base:
            continue
        for what in ("rate", "cpu"):
            ratios = [a[what] / b[what] for a, b in zip(rounds, base, strict=True)]
            print(f"{name} / floor, {count} clients, {what}: "
                  f"{statistics.median(ratios):.2f}")  # fmt: skip


def main() -> None:
    """Read the command line, start the servers, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--floor", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    asked = parser.parse_args()
    with (
        servers(with_database=True, with_redis=False, durable=True) as environ,
        tempfile.TemporaryDirectory() as folder,
    ):
        asyncio.run(bench(asked, environ["DATABASE_URL"], folder))


if __name__ == "__main__":
    main()
