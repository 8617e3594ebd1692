"""Back up the whole database while the site runs, and restore it.

A backup is a folder with the database's file and `backup.json`: its time and kind, the
file's digest, the audit log's length and last hash, and a fingerprint of the seed key.
The key itself is not in it, so a stolen backup does not reveal the seeds of open
dungeons. An HMAC with that key (`mark`) protects `backup.json` against changes.
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

from game.contest.chain import GENESIS_HASH
from game.services.core.keyed_hash import keyed_hash
from game.services.core.signing import public_key

FORMAT = 2
FACTS = "backup.json"
_FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
_HEAD = "select count, hash from game_audithead"
# The audit log's length and last hash: {count, hash}.
Head = dict[str, Any]


class BackupError(Exception):
    """Why a backup cannot be made or restored, as a sentence for the operator."""


def key_fingerprint() -> str:
    """Return a fingerprint of the seed key, which reveals nothing of the key."""
    return sha256(b"seed key:" + settings.SEED_KEY.encode()).hexdigest()[:16]


def backup_create(folder: Path, *, at: datetime) -> dict[str, Any]:
    """Write a backup into a new folder; return the content of its `backup.json`.

    Raises BackupError: the folder is not empty, or a program is missing.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty; a backup needs a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    file = folder / _FILES[connection.vendor]
    draft = file.with_suffix(".part")
    draft.touch(mode=0o600)
    audit = _METHODS[connection.vendor].copy(draft)
    draft.replace(file)
    facts = {
        "format": FORMAT,
        "made_at": at.isoformat(timespec="milliseconds"),
        "database": connection.vendor,
        "file": file.name,
        "sha256": _digest(file),
        "seed_key": key_fingerprint(),
        "audit": audit,
        "public_key": public_key(),
    }
    facts["mark"] = _mark(facts)
    (folder / FACTS).touch(mode=0o600)
    (folder / FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return facts


def backup_check(folder: Path, *, other_key: bool = False) -> dict[str, Any]:
    """Check a backup and return the content of its `backup.json`.

    Raises BackupError: it is no backup, is damaged or changed, is of another kind of
    database or, unless `other_key`, of another seed key.
    """
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text("utf-8"))
        file = folder / _FILES[facts["database"]]
        is_whole = facts["format"] == FORMAT and _digest(file) == facts["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder} is not a backup of the database.") from error
    if not is_whole:
        raise BackupError(f"{file} is damaged: its digest does not match.")
    if facts["database"] != connection.vendor:
        raise BackupError(
            f"This is a backup of {facts['database']}; it cannot be restored into"
            f" {connection.vendor}."
        )
    if facts["seed_key"] != key_fingerprint() and not other_key:
        raise BackupError(
            f"The backup belongs to the seed key {facts['seed_key']}. The present key,"
            f" {key_fingerprint()}, cannot open its dungeons."
        )
    # Without the key the mark cannot be checked.
    if facts["seed_key"] == key_fingerprint() and not _is_marked(facts):
        raise BackupError(
            f"{folder} was changed after it was made: its mark does not match."
        )
    return facts


def backup_restore(folder: Path, *, replace: bool) -> None:
    """Restore a checked backup into this database.

    Raises BackupError: the database has tables and `replace` is False.
    """
    if not replace and connection.introspection.table_names():
        raise BackupError("This database is not empty; give --replace to overwrite it.")
    _close()
    _METHODS[connection.vendor].restore(folder / _FILES[connection.vendor])


def _mark(facts: Mapping[str, Any]) -> str:
    """Return the HMAC of `facts`, which include the file's digest."""
    unmarked_facts = {name: value for name, value in facts.items() if name != "mark"}
    return keyed_hash(
        "backup", json.dumps(unmarked_facts, separators=(",", ":"), sort_keys=True)
    )


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
        digest = sha256()
        while part := stream.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


# --- SQLite: its online backup, while others write ---------------------------------


def _lite_copy(file: Path) -> Head:
    source = Path(connection.settings_dict["NAME"]).resolve()
    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as live,
        closing(sqlite3.connect(file)) as copy,
    ):
        live.backup(copy)
        # Without WAL, so that the backup is one file.
        copy.execute("PRAGMA journal_mode=DELETE")
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise BackupError("SQLite reports that the backup is damaged.")
        exists = "select 1 from sqlite_master where name = 'game_audithead'"
        row = copy.execute(exists).fetchone() and copy.execute(_HEAD).fetchone()
        return _head(row)


def _lite_restore(file: Path) -> None:
    target = Path(connection.settings_dict["NAME"])
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(file)) as copy,
        closing(sqlite3.connect(target, timeout=20)) as live,
    ):
        copy.backup(live)


# --- PostgreSQL: pg_dump and pg_restore --------------------------------------------


def _pg_copy(file: Path) -> Head:
    """Dump the database and read the audit log's head in the same snapshot."""
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
        same_snapshot = f"--snapshot={snapshot}"
        _pg("pg_dump", "--format=custom", same_snapshot, f"--file={file}")
    return _head(row)


def _pg_restore(file: Path) -> None:
    # Drop everything, or a table that is newer than the backup would stay.
    with connection.cursor() as cursor:
        cursor.execute("drop schema public cascade; create schema public")
    _close()
    all_or_nothing = ("--single-transaction", "--exit-on-error")
    _pg(
        "pg_restore",
        *all_or_nothing,
        f"--dbname={connection.settings_dict['NAME']}",
        str(file),
    )


def _pg(program: str, *words: str) -> None:
    """Run one of PostgreSQL's programs on this database.

    The password is passed in the environment, not as an argument. Raises BackupError
    with the program's output.
    """
    command = [_program(program), "--no-owner", "--no-privileges", *words]
    process = subprocess.run(
        command,
        env=_pg_environ(connection.settings_dict),
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise BackupError(f"{program} failed: {process.stderr.strip()[-800:]}")


def _pg_environ(database: Mapping[str, Any]) -> dict[str, str]:
    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT")
    variables = ("PGDATABASE", "PGUSER", "PGPASSWORD", "PGHOST", "PGPORT")
    values = {
        pg: str(database[name]) for name, pg in zip(names, variables, strict=True)
    }
    return dict(os.environ) | {name: value for name, value in values.items() if value}


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BackupError(
            f"{name} is not on the PATH. It is part of PostgreSQL's client, which must"
            " not be older than the server."
        )
    return path


class _Methods(NamedTuple):
    copy: Callable[[Path], Head]
    restore: Callable[[Path], None]


_METHODS: Mapping[str, _Methods] = {
    "sqlite": _Methods(_lite_copy, _lite_restore),
    "postgresql": _Methods(_pg_copy, _pg_restore),
}
