"""`manage.py play`: run the whole site on this machine.

It starts a Valkey server, migrates the database, starts the web process and one Celery
worker with beat, prints the address once everything answers, and restarts processes
that end until it is stopped. DATABASE_URL and REDIS_URL are used if they are set.
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
PORTS_TRIED = 20
UP_WITHIN_S = 60.0
MAX_RESTARTS = 5
# The worker may be in a task of half a minute. A task that is cut off is repeated after
# the next start, since all work is derived from the database.
STOP_WITHIN_S = 2.0
NO_MAIL = (
    "E-mail is not configured (EMAIL_URL): accounts count as verified, and mails are"
    " printed here."
)
RESTART_WINDOW_S = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):  # noqa: N818 - a request, not an error
    """A stop signal arrived."""


class Command(BaseCommand):
    """Run the site on this machine."""

    help = __doc__
    requires_system_checks = []  # migrate runs them
    lock_file: TextIO

    def handle(self, *_: Any, **__: Any) -> None:
        """Run until stopped."""
        children: list[Child] = []
        temporary = tempfile.TemporaryDirectory(prefix="scoundrel-play-")
        with _only_instance() as self.lock_file, temporary as folder:
            try:
                for number in STOP_SIGNALS:
                    signal.signal(number, _stop)
                self.start(children, Path(folder))
                self.restart_ended(children)
            except Stopped:
                self.stdout.write("\nStopping ...")
            finally:
                for number in STOP_SIGNALS:
                    signal.signal(number, signal.SIG_IGN)
                stop_all(children, STOP_WITHIN_S)
        self.stdout.write("Stopped.")

    def start(self, children: list[Child], folder: Path) -> None:
        """Start all processes and wait until the site answers."""
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
        self.lock_file.write(address)
        self.lock_file.flush()
        self.stdout.write(f"Scoundrel Live is at {address} (Ctrl-C stops it)")
        self.stdout.flush()

    def choose_port(self, wanted: int) -> int:
        """Return `wanted`, or the next free port and print that."""
        if _is_free(wanted):
            return wanted
        later = range(wanted + 1, min(wanted + 1 + PORTS_TRIED, 65536))
        port = next(filter(_is_free, later), None) or free_port()
        self.stdout.write(f"Port {wanted} is in use; using {port} instead.")
        return port

    def restart_ended(self, children: list[Child]) -> NoReturn:
        """Restart children that end; raise CommandError if they keep ending."""
        since, restarts = time.monotonic(), 0
        while True:
            time.sleep(0.5)
            for child in children:
                if child.is_running:
                    continue
                if time.monotonic() - since > RESTART_WINDOW_S:
                    since, restarts = time.monotonic(), 0
                restarts += 1
                if restarts > MAX_RESTARTS:
                    raise CommandError(
                        f"{child.name} keeps ending; its output is above."
                    )
                self.stderr.write(f"{child.name} ended; restarting it.")
                child.stop()
                child.start()


def _stop(_: int, __: Any) -> None:
    for number in STOP_SIGNALS:  # a second signal must not interrupt stopping
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


@contextmanager
def _only_instance() -> Iterator[TextIO]:
    """Lock the site's folder, since two workers on one database file would conflict.

    The lock file contains the address, for the error message of a second start. The
    lock ends with this process, however it ends.
    """
    settings.VAR.mkdir(parents=True, exist_ok=True)
    with (settings.VAR / "playing").open("a+", encoding="utf-8") as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock_file.seek(0)
            where = lock_file.read() or "see where it was started"
            raise CommandError(f"It is running already: {where}.") from error
        lock_file.truncate(0)
        yield lock_file


def _migrate() -> None:
    # The migrate command takes a second even if there is nothing to do.
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
    # Gossip and mingle need other workers and would cost a second each. Four threads:
    # choosing dailies, reviewing runs and hints may occupy one each.
    options = ["-B", "-P", "threads", "-c", "4", "--without-gossip", "--without-mingle"]
    place = ["-s", str(folder / "beat-schedule"), "--loglevel", "WARNING"]
    return Child("The worker", [*command, *options, *place], environ)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As Daphne does: a port that was just released counts as free.
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
            raise CommandError(f"{child.name} did not start; its output is above.")
        time.sleep(POLL_S)


def _wait_for_answer(url: str, child: Child) -> None:
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - always http://127.0.0.1
                return
        except (URLError, OSError) as failure:
            if time.monotonic() > deadline or not child.is_running:
                raise CommandError(
                    f"{child.name} does not answer; its output is above."
                ) from failure
        time.sleep(POLL_S)
