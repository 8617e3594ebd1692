"""Read configuration from the environment: required names, keys, the database.

Only the settings import it.
"""

import base64
import binascii
import contextlib
import os
import secrets
import stat
import tempfile
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parents[1]
SEED_KEY_BYTES = 32

# The .env file is read by Compose only, not here.
env = environ.Env()


def require(*names: str) -> None:
    """Raise an error that names every one of `names` that is unset or empty.

    Raises:
        ImproperlyConfigured: lists every missing name.
    """
    missing = [name for name in names if not os.environ.get(name, "").strip()]
    if missing:
        listed = ", ".join(missing)
        raise ImproperlyConfigured(
            f"These must be set in the environment before a start: {listed}"
            " (.env.example explains each)."
        )


def networks(name: str) -> list[str]:
    """The IP networks (CIDR) that the variable lists, separated by commas.

    Raises:
        ImproperlyConfigured: names the first entry that is no network.
    """
    listed: list[str] = env.list(name, default=[])
    for network in listed:
        try:
            ip_network(network)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}.") from error
    return listed


def key_from(name: str, file: Path) -> str:
    """Return the secret `name` from the environment, else from `file`.

    A missing file is created, readable by its owner only. It is written under another
    name and then linked, so two processes that start at once use the same key.
    """
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if not file.exists():
        _write_new_key(file)
    return file.read_text(encoding="ascii").strip()


def private_folder(folder: Path) -> None:
    """Create the folder if it is missing, and let only its owner enter it (0700)."""
    folder.mkdir(parents=True, exist_ok=True)
    _restrict(folder, 0o700)


def private_file(file: Path) -> None:
    """Create the file if it is missing, and let only its owner read it (0600)."""
    if not file.exists():
        file.touch(mode=0o600)
    _restrict(file, 0o600)


def _restrict(path: Path, mode: int) -> None:
    """Set the mode of a file or folder of this user; those of others stay."""
    current = path.stat()
    if current.st_uid == os.getuid() and stat.S_IMODE(current.st_mode) != mode:
        path.chmod(mode)


def _write_new_key(file: Path) -> None:
    private_folder(file.parent)
    key = base64.urlsafe_b64encode(secrets.token_bytes(SEED_KEY_BYTES)).decode("ascii")
    handle, draft = tempfile.mkstemp(dir=file.parent)  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(key + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        Path(draft).unlink()


def seed_key(text: str) -> str:
    """Return SEED_KEY after checking it, as `secret_bytes` does; "" is refused."""
    return secret_bytes("SEED_KEY", text or "-")


def secret_bytes(name: str, text: str) -> str:
    """Return `text` after checking that it is 32 bytes in URL-safe base64, or empty.

    Raises:
        ImproperlyConfigured: it is not; the message does not repeat the value.
    """
    if not text:
        return ""
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii"))
    except (binascii.Error, UnicodeEncodeError):
        raw = b""
    if len(raw) != SEED_KEY_BYTES:
        raise ImproperlyConfigured(
            f"{name} must be 32 random bytes in URL-safe base64, as made by: python -c"
            ' "import base64, secrets;'
            ' print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())"'
        )
    return text


def database(*, default: Path | None, statement_ms: int = 3000) -> dict[str, Any]:
    """Return Django's settings of the database.

    It is DATABASE_URL if set, else SQLite in the file `default`. `statement_ms` limits
    one PostgreSQL statement, in milliseconds.
    """
    if os.environ.get("DATABASE_URL", "").strip():
        config: dict[str, Any] = dict(env.db_url("DATABASE_URL"))
    elif default is None:
        raise ImproperlyConfigured("DATABASE_URL must be set in the environment.")
    else:
        private_folder(default.parent)
        config = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    if config["ENGINE"].endswith("sqlite3"):
        _protect_sqlite(Path(config["NAME"]))
        return config | {"OPTIONS": config.get("OPTIONS", {}) | _sqlite_options()}
    options = config.get("OPTIONS", {}) | _postgresql_options(statement_ms)
    # The pool keeps connections open, so Django must not (0).
    keep = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    return config | keep


def _protect_sqlite(file: Path) -> None:
    """Let only the owner read the database and the files that SQLite writes beside it.

    SQLite gives new ones the mode of the database. A file in a folder that does not
    exist, or in memory, is left to it.
    """
    if not file.name or not file.parent.is_dir() or str(file) == ":memory:":
        return
    private_file(file)
    for ending in ("-wal", "-shm", "-journal"):
        beside = file.with_name(file.name + ending)
        with contextlib.suppress(FileNotFoundError):
            _restrict(beside, 0o600)


def _sqlite_options() -> dict[str, Any]:
    # IMMEDIATE: a deferred transaction that begins to write fails at once with
    # "database is locked", regardless of the timeout. FULL: an acknowledged move
    # survives a power cut, as on PostgreSQL.
    return {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        ),
    }


def _postgresql_options(statement_ms: int) -> dict[str, Any]:
    return {
        "connect_timeout": 3,
        # `selectors/core/prepared_statements` parses times, so it needs this datestyle.
        "options": (
            f"-c statement_timeout={statement_ms} -c lock_timeout=2000 -c datestyle=ISO"
        ),
        # Give up soon: the next request then reconnects at once. The pool's own
        # retries double their pauses, and the next move came 7 to 12 seconds later.
        "pool": {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL", default=12),
            "timeout": 3,
            "reconnect_timeout": 0.3,
        },
    }
