"""`manage.py play`: the whole site on this machine, in one command.

Owns which processes make up the site and their order. It starts a Valkey server,
brings the database up to date, starts the web process and one Celery worker with
its beat, says the address once all of it answers, and keeps it so until it is told
to stop. DATABASE_URL and REDIS_URL are used where they are given.
"""

import fcntl
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from game.management.children import POLL_S, Child, stop_all
from game.management.valkey import free_port, valkey_server, wait_for_port

PORT = 8000
NEXT_PORTS = 20
UP_WITHIN_S = 60.0
RESTARTS = 5
# The worker may be at something that takes half a minute. Whatever is cut off is taken
# up again at the next start: all work is derived from the database.
STOP_WITHIN_S = 2.0
NO_MAIL = (
    "No e-mail is set up (EMAIL_URL): accounts count as verified, and what would be"
    " mailed is printed here."
)
RESTART_WINDOW_S = 60.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):  # noqa: N818 - a wish, not an error
    """SIGTERM or Ctrl-C came."""


class Command(BaseCommand):
    """Play on this machine."""

    help = __doc__
    requires_system_checks = []  # migrate runs them
    held: TextIO

    def handle(self, *_: Any, **__: Any) -> None:
        """Run until stopped."""
        children: list[Child] = []
        beside = tempfile.TemporaryDirectory(prefix="scoundrel-play-")
        with _alone() as self.held, beside as folder:
            try:
                for number in STOPS:
                    signal.signal(number, _stop)
                self.start(children, Path(folder))
                self.keep(children)
            except Stopped:
                self.stdout.write("\nStopping ...")
            finally:
                for number in STOPS:
                    signal.signal(number, signal.SIG_IGN)
                stop_all(children, STOP_WITHIN_S)
        self.stdout.write("Stopped.")

    def start(self, children: list[Child], folder: Path) -> None:
        """Start all processes; returns once the site answers."""
        port = self.choose_port(int(os.environ.get("PORT") or PORT))
        redis_url = os.environ.get("REDIS_URL", "")
        if not redis_url:
            valkey, redis_url = _valkey(folder)
            children.append(valkey)
            valkey.start()
        _migrate()
        if children:
            wait_for_port(urlsplit(redis_url).port or 0, children[0])
        alive, ready = folder / "worker-alive", folder / "ready"
        environ = (
            {"LOG_LEVEL": "WARNING"}
            | dict(os.environ)
            | {
                "REDIS_URL": redis_url,
                "WORKER_ALIVE_FILE": str(alive),
                "PLAY_READY_FILE": str(ready),
            }
        )
        web, worker = _web(port, environ), _worker(folder, environ)
        for child in (web, worker):
            children.append(child)
            child.start()
        wait_for_port(port, web, UP_WITHIN_S)
        _wait_for_file(alive, worker)
        ready.touch()
        address = f"http://127.0.0.1:{port}"
        _wait_for_answer(f"{address}/healthz", web)
        if not settings.MAIL_IS_SET:
            self.stdout.write(NO_MAIL)
        self.held.write(address)
        self.held.flush()
        self.stdout.write(f"Scoundrel Live is at {address} (Ctrl-C ends it)")
        self.stdout.flush()

    def choose_port(self, wanted: int) -> int:
        """`wanted`, or the next free one, said aloud."""
        if _is_free(wanted):
            return wanted
        later = range(wanted + 1, min(wanted + 1 + NEXT_PORTS, 65536))
        port = next(filter(_is_free, later), None) or free_port()
        self.stdout.write(f"Port {wanted} is taken; {port} is used instead.")
        return port

    def keep(self, children: list[Child]) -> NoReturn:
        """Watch the children; start again whichever ends, but not for ever."""
        since, restarts = time.monotonic(), 0
        while True:
            time.sleep(0.5)
            for child in children:
                if child.is_running:
                    continue
                if time.monotonic() - since > RESTART_WINDOW_S:
                    since, restarts = time.monotonic(), 0
                restarts += 1
                if restarts > RESTARTS:
                    raise CommandError(
                        f"{child.name} keeps ending; what it said is above."
                    )
                self.stderr.write(f"{child.name} ended; starting it again.")
                child.stop()
                child.start()


def _stop(_: int, __: Any) -> None:
    for number in STOPS:  # a second one must not break the stopping
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


@contextmanager
def _alone() -> Iterator[TextIO]:
    """Hold the folder of this site: two workers and Valkeys on one would not agree.

    The file names the address for whoever comes second, and is free as soon as its
    holder is gone, however that went.
    """
    settings.VAR.mkdir(parents=True, exist_ok=True)
    with (settings.VAR / "playing").open("a+", encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as taken:
            held.seek(0)
            where = held.read() or "its address is said where it was started"
            raise CommandError(f"It is running already: {where}.") from taken
        held.truncate(0)
        yield held


def _migrate() -> None:
    # The command itself takes a second even where nothing is to be done.
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    connections.close_all()


def _valkey(folder: Path) -> tuple[Child, str]:
    try:
        return valkey_server(folder)
    except FileNotFoundError as missing:
        raise CommandError(str(missing)) from missing


def _web(port: int, environ: dict[str, str]) -> Child:
    options = ["-b", "127.0.0.1", "-p", str(port), "-v", "0"]
    command = [sys.executable, "-m", "daphne", *options]
    return Child(
        "The web process", [*command, "scoundrel_site.asgi:application"], environ
    )


def _worker(folder: Path, environ: dict[str, str]) -> Child:
    command = [
        sys.executable,
        "-m",
        "celery",
        "-q",
        "-A",
        "scoundrel_site.celery",
        "worker",
    ]
    # Nobody else is there to gossip or mingle with: each would cost a second.
    # Three threads: choosing dailies and reviewing runs may hold one each.
    options = ["-B", "-P", "threads", "-c", "3", "--without-gossip", "--without-mingle"]
    place = ["-s", str(folder / "beat-schedule"), "--loglevel", "WARNING"]
    return Child("The worker", [*command, *options, *place], environ)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As Daphne does: a port whose last user has just gone counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _wait_for_file(file: Path, child: Child) -> None:
    deadline = time.monotonic() + UP_WITHIN_S
    while not file.exists():
        if time.monotonic() > deadline or not child.is_running:
            raise CommandError(f"{child.name} did not start; what it said is above.")
        time.sleep(POLL_S)


def _wait_for_answer(url: str, child: Child) -> None:
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - our own http:// address
                return
        except (URLError, OSError) as failure:
            if time.monotonic() > deadline or not child.is_running:
                raise CommandError(
                    f"{child.name} does not answer; what it said is above."
                ) from failure
        time.sleep(POLL_S)
