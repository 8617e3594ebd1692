"""Copies of the whole database, made while the site runs, and put back.

A copy is a folder: the database's file and `backup.json`, which says what it is, how
long the audit log was, and names the seed key by a fingerprint. The key itself is never
in it: who finds a copy must not read the seeds of dungeons that are still played. But
what it says is marked with that key, so that nobody without it makes or changes a copy.
Knows the two databases' own ways of copying, and of what is stored the log's head only.
"""

import hmac
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from game.contest.moderation.chain import GENESIS_HASH
from game.services.core.keyed_hash import keyed_hash

FORMAT = 2
FACTS = "backup.json"
_FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
_HEAD = "select count, hash from game_audithead"
# The audit log's length and last hash.
Head = dict[str, Any]


class CopyRefusal(Exception):  # noqa: N818 - a sentence for the operator, not a fault
    """Why a copy is not made or not put back."""


def key_fingerprint() -> str:
    """Names the seed key without telling anything of it."""
    return sha256(b"seed key:" + settings.SEED_KEY.encode()).hexdigest()[:16]


def copy_make(folder: Path, *, at: datetime) -> dict[str, Any]:
    """Write a copy into a new folder; what its `backup.json` says.

    Raises CopyRefusal: the folder holds something already, or a program is missing.
    """
    if folder.exists() and any(folder.iterdir()):
        raise CopyRefusal(f"{folder} is not empty; a copy wants a folder of its own.")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / _FILES[connection.vendor]
    draft = file.with_suffix(".part")
    draft.touch(mode=0o600)
    audit = _WAYS[connection.vendor].copy(draft)
    draft.replace(file)
    facts = {
        "format": FORMAT,
        "made_at": at.isoformat(timespec="milliseconds"),
        "database": connection.vendor,
        "file": file.name,
        "sha256": _digest(file),
        "seed_key": key_fingerprint(),
        "audit": audit,
    }
    facts["mark"] = _mark(facts)
    (folder / FACTS).touch(mode=0o600)
    (folder / FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return facts


def copy_check(folder: Path, *, other_key: bool = False) -> dict[str, Any]:
    """What the copy says of itself, once its file is known to be whole.

    Raises CopyRefusal: it is no copy, damaged, of another kind of database, (unless
    `other_key`) of another seed key, or not as it was made under this one.
    """
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text("utf-8"))
        file = folder / _FILES[facts["database"]]
        whole = facts["format"] == FORMAT and _digest(file) == facts["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CopyRefusal(f"{folder} holds no copy of the database.") from error
    if not whole:
        raise CopyRefusal(f"{file} is damaged: its digest is another.")
    if facts["database"] != connection.vendor:
        raise CopyRefusal(
            f"The copy is of {facts['database']}, this database is"
            f" {connection.vendor}; a copy goes back into its own kind."
        )
    if facts["seed_key"] != key_fingerprint() and not other_key:
        raise CopyRefusal(
            f"The copy belongs to the seed key {facts['seed_key']}; this is"
            f" {key_fingerprint()}, which opens none of its dungeons."
        )
    # With the key lost, nobody can tell whether it is as it was made.
    if facts["seed_key"] == key_fingerprint() and not _is_marked(facts):
        raise CopyRefusal(f"{folder} is not as it was made: its mark is another.")
    return facts


def copy_restore(folder: Path, *, replace: bool) -> None:
    """Put a checked copy into this database.

    Raises CopyRefusal: the database holds tables already and `replace` was not said.
    """
    if not replace and connection.introspection.table_names():
        raise CopyRefusal(
            "This database is not empty; --replace says that all in it may go."
        )
    _close()
    _WAYS[connection.vendor].restore(folder / _FILES[connection.vendor])


def _mark(facts: Mapping[str, Any]) -> str:
    """Over all that the copy says of itself, the file's digest among it."""
    said = {name: value for name, value in facts.items() if name != "mark"}
    return keyed_hash("backup", json.dumps(said, separators=(",", ":"), sort_keys=True))


def _is_marked(facts: Mapping[str, Any]) -> bool:
    return hmac.compare_digest(str(facts.get("mark")).encode(), _mark(facts).encode())


def _close() -> None:
    connection.close()
    close_pool = getattr(connection, "close_pool", None)
    if close_pool is not None:
        close_pool()


def _head(row: Sequence[Any] | None) -> Head:
    count, last = row or (0, GENESIS_HASH)
    return {"count": count, "hash": last}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        found = sha256()
        while part := stream.read(1 << 20):
            found.update(part)
    return found.hexdigest()


# --- SQLite: its online backup, page by page, while others write -----------------


def _lite_copy(file: Path) -> Head:
    source = Path(connection.settings_dict["NAME"]).resolve()
    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as live,
        closing(sqlite3.connect(file)) as copy,
    ):
        live.backup(copy)
        # One file: the log that WAL keeps beside it must not be needed.
        copy.execute("PRAGMA journal_mode=DELETE")
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise CopyRefusal("SQLite finds the copy damaged.")
        known = "select 1 from sqlite_master where name = 'game_audithead'"
        row = copy.execute(known).fetchone() and copy.execute(_HEAD).fetchone()
        return _head(row)


def _lite_restore(file: Path) -> None:
    target = Path(connection.settings_dict["NAME"])
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(file)) as copy,
        closing(sqlite3.connect(target, timeout=20)) as live,
    ):
        copy.backup(live)


# --- PostgreSQL: its own programs ------------------------------------------------


def _pg_copy(file: Path) -> Head:
    """The dump and the head are of one moment: both see one snapshot."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set transaction isolation level repeatable read, read only")
        cursor.execute("set local idle_in_transaction_session_timeout = 0")
        row = None
        cursor.execute("select to_regclass('game_audithead') is not null")
        if cursor.fetchone() == (True,):
            cursor.execute(_HEAD)
            row = cursor.fetchone()
        cursor.execute("select pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        moment = f"--snapshot={snapshot}"
        _pg("pg_dump", "--format=custom", moment, f"--file={file}")
    return _head(row)


def _pg_restore(file: Path) -> None:
    # Emptied whole: a table that is younger than the copy must not stay.
    with connection.cursor() as cursor:
        cursor.execute("drop schema public cascade; create schema public")
    _close()
    whole = ("--single-transaction", "--exit-on-error")
    _pg("pg_restore", *whole, f"--dbname={connection.settings_dict['NAME']}", str(file))


def _pg(program: str, *words: str) -> None:
    """Run a program of PostgreSQL's on this database; the password is in no argument.

    Raises CopyRefusal with what it said.
    """
    command = [_program(program), "--no-owner", "--no-privileges", *words]
    done = subprocess.run(
        command,
        env=_pg_environ(connection.settings_dict),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CopyRefusal(f"{program} failed: {done.stderr.strip()[-800:]}")


def _pg_environ(found: Mapping[str, Any]) -> dict[str, str]:
    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT")
    their = ("PGDATABASE", "PGUSER", "PGPASSWORD", "PGHOST", "PGPORT")
    given = {pg: str(found[name]) for name, pg in zip(names, their, strict=True)}
    return dict(os.environ) | {name: value for name, value in given.items() if value}


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise CopyRefusal(
            f"{name} is not on the PATH; PostgreSQL's client brings it, and it must be"
            " no older than the server."
        )
    return found


class _Way(NamedTuple):
    copy: Callable[[Path], Head]
    restore: Callable[[Path], None]


_WAYS: Mapping[str, _Way] = {
    "sqlite": _Way(_lite_copy, _lite_restore),
    "postgresql": _Way(_pg_copy, _pg_restore),
}
