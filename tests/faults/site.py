"""A complete site for one fault test, whose processes are killed and restarted.

PostgreSQL with durable settings, Valkey, two web processes, a worker with beat. A
process is killed by its id together with its child processes, and restarted on the same
port and files.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from game.management.children import Child, stop_all
from game.management.valkey import free_port, valkey_server, wait_for_port
from tests.parts import ROOT
from tests.servers import postgresql_server

START_TIMEOUT_S = 40.0
WEBS = ("web 1", "web 2")
# The clients make many more races and moves than people do.
HIGH_LIMITS = {
    "WS_SOCKETS_PER_ADDRESS": "1000",
    "WS_BURST": "400",
    "WS_PER_SECOND": "200",
    "THROTTLE_SCALE": "50",
}
# Without dailies the worker has nothing to compute besides the races.
LITTLE_WORK = {"LOG_LEVEL": "WARNING", "DAILY_RULESETS": ""}
MAKE_ACCOUNTS = """
import json, sys, django; django.setup()
from datetime import timedelta
from django.utils import timezone
from game.models import Account
from game.services.accounts.tokens import token_create
now, people = timezone.now(), []
for n in range(int(sys.argv[1])):
    one = Account.objects.create(name=f"RestPlayer {n}", created_at=now, seen_at=now)
    text = token_create(account=one, name="t", scopes=("read", "play", "race"),
        expires_in=timedelta(days=1), at=now)[1]
    people.append([one.id, one.name, text])
print(json.dumps(people))
"""


class PlayerAccount(NamedTuple):
    """An account and its bearer token."""

    id: str
    name: str
    token: str


class Site:
    """The processes by name, their ports and their environment."""

    def __init__(self, folder: Path) -> None:
        self.children: dict[str, Child] = {}
        self.ports: dict[str, int] = {}
        valkey, redis_url = valkey_server(folder)
        postgresql, self.database_url, port = postgresql_server(folder, ())
        self.children |= {"valkey": valkey, "postgresql": postgresql}
        self.ports |= {"valkey": _port_of(redis_url), "postgresql": port}
        self.environ = {
            **os.environ,
            **HIGH_LIMITS,
            **LITTLE_WORK,
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "DATABASE_URL": self.database_url,
            "REDIS_URL": redis_url,
            "PYTHONPATH": str(ROOT),
            "VAR_DIR": str(folder),
        }
        for name in WEBS:
            self._add_web(name, folder)
        self._add_worker(folder)

    def _add_web(self, name: str, folder: Path) -> None:
        port = self.ports[name] = free_port()
        words = ["daphne", "-b", "127.0.0.1", "-p", str(port), "-v", "0"]
        self._add(name, folder, *words, "scoundrel_site.asgi:application")

    def _add_worker(self, folder: Path) -> None:
        app = ["celery", "-q", "-A", "scoundrel_site.celery", "worker", "-B"]
        how = ["-P", "threads", "-c", "2", "--without-gossip", "--without-mingle"]
        kept = ["-s", str(folder / "beat"), "--loglevel", "WARNING"]
        self._add("worker", folder, *app, *how, *kept)

    def _add(self, name: str, folder: Path, *words: str) -> None:
        log = folder / f"{name.replace(' ', '-')}.log"
        command = [sys.executable, "-m", *words]
        self.children[name] = Child(name, command, self.environ, output=log)

    def run_python(self, *arguments: str) -> str:
        """Run a Python program in the site's environment; returns its output."""
        done = subprocess.run(
            [sys.executable, *arguments],
            env=self.environ,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make_accounts(self, count: int) -> list[PlayerAccount]:
        """Make `count` accounts."""
        made: list[list[str]] = json.loads(
            self.run_python("-c", MAKE_ACCOUNTS, str(count))
        )
        return [PlayerAccount(*one) for one in made]

    def kill(self, name: str) -> None:
        """Kill a process and its children."""
        process = self.children[name].process
        assert process is not None
        kill_with_children(process.pid)
        process.wait()

    def pause(self, name: str, seconds: float) -> None:
        """Stop a process and its children for some seconds, then let them go on."""
        process = self.children[name].process
        assert process is not None
        paused = [process.pid, *children_of(process.pid)]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in paused:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            if number == signal.SIGSTOP:
                time.sleep(seconds)

    def start(self, *names: str) -> None:
        """Start or restart processes; returns when they accept connections."""
        for name in names:
            self.children[name].start()
        self.wait(*names)

    def wait(self, *names: str) -> None:
        """Wait until those of the processes that have a port accept connections."""
        for name in names:
            if name in self.ports:
                self._wait(name)

    def _wait(self, name: str) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        child, port = self.children[name], self.ports[name]
        while True:
            try:
                return wait_for_port(port, child, deadline - time.monotonic())
            except TimeoutError:
                # PostgreSQL does not start while the killed one's memory is in use.
                if child.is_running or time.monotonic() > deadline:
                    raise
            time.sleep(0.1)
            child.start()

    def cursor(self) -> contextlib.AbstractContextManager[Any]:
        """A cursor on the site's database."""
        return _cursor(self.database_url)

    def logs(self) -> str:
        """The ends of the logs of web processes and worker."""
        outputs = [child.output for child in self.children.values()]
        return "".join(
            f"\n--- {log.name}\n{log.read_text()[-3000:]}"
            for log in outputs
            if log is not None and log.exists() and log.name != "postgresql.log"
        )


@contextmanager
def running_site() -> Iterator[Site]:
    """Run a migrated site with all its processes."""
    with tempfile.TemporaryDirectory(prefix="scoundrel-faults-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        site = Site(folder)
        try:
            site.start("valkey", "postgresql")
            site.run_python("manage.py", "migrate", "--verbosity", "0")
            site.start(*WEBS, "worker")
            yield site
        finally:
            stop_all(list(site.children.values()))


@contextmanager
def _cursor(address: str) -> Iterator[Any]:
    with psycopg.connect(address) as connected, connected.cursor() as cursor:
        yield cursor


def children_of(pid: int) -> list[int]:
    """The ids of the direct children of a process."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in listed.read_text().split()] if listed.exists() else []


def kill_with_children(pid: int) -> None:
    """Kill a process, its group, and children that have left the group."""
    for child in (pid, *children_of(pid)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _port_of(address: str) -> int:
    return int(address.rsplit(":", 1)[1].split("/", maxsplit=1)[0])
