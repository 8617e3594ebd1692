"""Reading the environment, and creating missing key files."""

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.core.exceptions import ImproperlyConfigured

from scoundrel_site import env


def test_key_file_is_created_once_and_private(tmp_path, monkeypatch):
    monkeypatch.delenv("SEED_KEY", raising=False)
    file = tmp_path / "var" / "seed_key"
    first = env.key_from("SEED_KEY", file)
    assert env.key_from("SEED_KEY", file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert env.seed_key(first) == first
    assert [place.name for place in file.parent.iterdir()] == ["seed_key"]


def test_concurrent_starts_use_one_key(tmp_path, monkeypatch):
    monkeypatch.delenv("SEED_KEY", raising=False)
    file = tmp_path / "seed_key"
    with ThreadPoolExecutor(16) as threads:
        keys = list(threads.map(lambda _: env.key_from("SEED_KEY", file), range(64)))
    assert len(set(keys)) == 1


def test_given_key_creates_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("SEED_KEY", "given")
    assert env.key_from("SEED_KEY", tmp_path / "seed_key") == "given"
    assert not list(tmp_path.iterdir())


def test_require_names_every_missing_variable(monkeypatch):
    monkeypatch.setenv("SKEL_THERE", "x")
    monkeypatch.setenv("SKEL_BLANK", " ")
    with pytest.raises(ImproperlyConfigured, match="start: SKEL_BLANK, SKEL_NONE "):
        env.require("SKEL_THERE", "SKEL_BLANK", "SKEL_NONE")


def test_sqlite_is_the_default_database(tmp_path, monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    found = env.database(default=tmp_path / "with a space" / "x.sqlite3")
    assert found["NAME"] == str(tmp_path / "with a space" / "x.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert found["OPTIONS"]["timeout"] == 20


def test_database_url_is_required_without_a_default(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        env.database(default=None)


def test_postgresql_from_database_url(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://u:p%40ss@db.example:5433/name")
    found = env.database(default=None, statement_ms=1234)
    assert found["PASSWORD"] == "p@ss"
    assert "statement_timeout=1234" in found["OPTIONS"]["options"]


def test_database_and_its_folder_are_private(tmp_path, monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    folder = tmp_path / "var"
    file = folder / "x.sqlite3"
    env.database(default=file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table x (y)")
        assert modes(folder) == {"x.sqlite3", "x.sqlite3-wal", "x.sqlite3-shm"}
        for one in (folder, *folder.iterdir()):
            one.chmod(0o755)  # as older versions left them
        env.database(default=file)
        assert modes(folder) == {"x.sqlite3", "x.sqlite3-wal", "x.sqlite3-shm"}


def modes(folder):
    """The names of the files in a folder, after checking that all are private."""
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    return {file.name for file in folder.iterdir()}


def test_folder_of_a_named_database_is_left_alone(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/x.sqlite3")
    env.database(default=None)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "x.sqlite3").stat().st_mode) == 0o600
    monkeypatch.setenv("DATABASE_URL", "sqlite://:memory:")
    env.database(default=None)


@pytest.mark.parametrize(
    ("text", "networks"),
    [
        ("", []),
        ("10.0.0.0/8", ["10.0.0.0/8"]),
        ("10.1.2.3,fd00::/8", ["10.1.2.3", "fd00::/8"]),
    ],
)
def test_networks_are_listed_with_commas(
    monkeypatch: pytest.MonkeyPatch, text: str, networks: list[str]
) -> None:
    monkeypatch.setenv("SHARED_NETWORKS", text)
    assert env.networks("SHARED_NETWORKS") == networks


def test_network_that_is_none_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHARED_NETWORKS", "10.0.0.0/8,home")
    with pytest.raises(ImproperlyConfigured, match="SHARED_NETWORKS: 'home'"):
        env.networks("SHARED_NETWORKS")
