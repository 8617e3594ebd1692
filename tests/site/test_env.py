"""Reading the environment, and creating missing key files."""

import stat
from concurrent.futures import ThreadPoolExecutor

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
