"""`manage.py play` starts the site, restarts what ends and stops everything."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.servers import copy_sqlite_template, migrated_database

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60


class Play:
    """The running command; `output` has its lines so far."""

    def __init__(self, var: Path, port: int, **given: str) -> None:
        environ = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
        }
        environ |= {"VAR_DIR": str(var), "PORT": str(port), "PYTHONUNBUFFERED": "1"}
        environ |= {"DAILY_CHOOSE_AHEAD_DAYS": "-1"}  # minutes of the worker's time
        environ |= given
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "play"],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output: list[str] = []
        threading.Thread(target=self._read_output, daemon=True).start()

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.output.append(line)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return the match of the first line that contains `pattern`."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            for line in list(self.output):
                if found := re.search(pattern, line):
                    return found
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} in: {''.join(self.output)}")

    def children(self) -> dict[str, int]:
        """Return the pids of its children by program."""
        task = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        found = {}
        for pid in map(int, Path(task).read_text().split()):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
            for word in ("valkey", "daphne", "celery"):
                if word in words:
                    found[word] = pid
        return found


@contextmanager
def playing(var: Path, port: int, **given: str) -> Iterator[Play]:
    play = Play(var, port, **given)
    try:
        yield play
    finally:
        play.process.terminate()
        play.process.wait(TIMEOUT_S)


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def get(address: str) -> tuple[int, bytes]:
    with urlopen(address, timeout=10) as answer:
        return answer.status, answer.read()


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
@pytest.mark.slow
def test_site_starts_once_recovers_and_stops(tmp_path):
    with taken_port() as port, playing(tmp_path / "with a space", port) as play:
        chosen = play.wait_for(rf"Port {port} is in use; using (\d+) instead")[1]
        address = play.wait_for(r"Scoundrel Live is at (\S+) \(Ctrl-C stops it\)")[1]
        assert address == f"http://127.0.0.1:{chosen}"
        assert get(f"{address}/healthz") == (200, b'{"status": "ok"}')
        assert get(f"{address}/readyz") == (200, b'{"database": "ok", "redis": "ok"}')
        first = play.children()
        assert sorted(first) == ["celery", "daphne", "valkey"]

        second = Play(tmp_path / "with a space", port)
        second.wait_for(rf"It is running already: {address}\.")
        assert second.process.wait(TIMEOUT_S) == 1

        os.kill(first["daphne"], signal.SIGKILL)
        play.wait_for("The web process ended; restarting it")
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                assert get(f"{address}/healthz")[0] == 200
                break
            except OSError:
                time.sleep(0.1)

        last = play.children()
        assert last["daphne"] != first["daphne"]
        # Two signals, as from a shell and its terminal.
        play.process.send_signal(signal.SIGINT)
        play.process.send_signal(signal.SIGINT)
        assert play.process.wait(TIMEOUT_S) == 0
        play.wait_for("Stopped.")
        assert gone(list(last.values()))
        assert not [line for line in play.output if "Traceback" in line]


@pytest.mark.slow
def test_given_database_and_valkey_are_used(tmp_path):
    given = {name: os.environ.get(name, "") for name in ("DATABASE_URL", "REDIS_URL")}
    if not all(given.values()):
        pytest.skip("this test run has no servers of its own")
    given["DATABASE_URL"] = migrated_database(given["DATABASE_URL"], os.environ)
    with taken_port() as port, playing(tmp_path, port, **given) as play:
        address = play.wait_for(r"Scoundrel Live is at (\S+)")[1]
        assert get(f"{address}/readyz") == (200, b'{"database": "ok", "redis": "ok"}')
        assert sorted(play.children()) == ["celery", "daphne"]
        assert not list(tmp_path.glob("*.sqlite3"))


@linux
@pytest.mark.slow
def test_killed_command_leaves_no_processes(tmp_path):
    with taken_port() as port:
        pass
    copy_sqlite_template(tmp_path / "scoundrel.sqlite3")
    with playing(tmp_path, port) as play:
        play.wait_for("Scoundrel Live is at")
        children = list(play.children().values())
        play.process.kill()
        play.process.wait()
        deadline = time.monotonic() + 20
        while not gone(children) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert gone(children)
