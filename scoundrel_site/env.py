"""Reads the environment: names that must be there, key files, the databases.

Owns how outside configuration becomes Python values. Knows nothing of the game,
and is imported by the settings only.
"""

import base64
import binascii
import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parents[1]
SEED_KEY_BYTES = 32

# No .env file is read: that one is Compose's, for a real site, not for `make run`.
env = environ.Env()


def require(*names: str) -> None:
    """Refuse to go on while any of `names` is unset or empty, naming each one.

    Raises:
        ImproperlyConfigured: lists every missing name, not only the first.
    """
    missing = [name for name in names if not os.environ.get(name, "").strip()]
    if missing:
        listed = ", ".join(missing)
        raise ImproperlyConfigured(
            f"These must be set in the environment before a start: {listed}"
            " (.env.example explains each)."
        )


def key_from(name: str, file: Path) -> str:
    """The secret `name` from the environment, else from `file`, made if absent.

    The file is readable by its owner only, and is written whole before it gets
    its name, so two processes that start at once agree on one key.
    """
    given = os.environ.get(name, "").strip()
    if given:
        return given
    if not file.exists():
        _write_new_key(file)
    return file.read_text(encoding="ascii").strip()


def _write_new_key(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
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
    """`text` as it is, once it is known to hold 32 bytes in URL-safe base64.

    Raises:
        ImproperlyConfigured: it is something else; the value is not repeated.
    """
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii"))
    except (binascii.Error, UnicodeEncodeError):
        raw = b""
    if len(raw) != SEED_KEY_BYTES:
        raise ImproperlyConfigured(
            "SEED_KEY must be 32 random bytes in URL-safe base64, as made by: python -c"
            ' "import base64, secrets;'
            ' print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())"'
        )
    return text


def database(*, default: Path | None, statement_ms: int = 3000) -> dict[str, Any]:
    """Django's settings of the one database.

    DATABASE_URL when it is given, else SQLite in the file `default`.
    `statement_ms` bounds one PostgreSQL statement, in milliseconds.
    """
    if os.environ.get("DATABASE_URL", "").strip():
        found: dict[str, Any] = dict(env.db_url("DATABASE_URL"))
    elif default is None:
        raise ImproperlyConfigured("DATABASE_URL must be set in the environment.")
    else:
        default.parent.mkdir(parents=True, exist_ok=True)
        found = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    if found["ENGINE"].endswith("sqlite3"):
        return found | {"OPTIONS": found.get("OPTIONS", {}) | _sqlite_options()}
    options = found.get("OPTIONS", {}) | _postgresql_options(statement_ms)
    # A pool keeps the connections, so Django itself must keep none (0).
    keep = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    return found | keep


def _sqlite_options() -> dict[str, Any]:
    # IMMEDIATE: a deferred transaction that turns into a writer fails at once with
    # "database is locked", whatever the timeout is. FULL: an answered move is kept
    # even through a power cut, as on PostgreSQL.
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
        # `selectors/sql_hot` reads times itself, so their style is not left to chance.
        "options": (
            f"-c statement_timeout={statement_ms} -c lock_timeout=2000 -c datestyle=ISO"
        ),
        # A lost server is asked for again by whoever wants a connection next, not by
        # the pool, whose pauses double: 7 to 12 seconds went by before the next move.
        "pool": {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL", default=12),
            "timeout": 3,
            "reconnect_timeout": 0.3,
        },
    }
