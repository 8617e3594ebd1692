"""Starts the tests' servers before pytest-django reads the settings.

Loaded by `-p` (see pyproject.toml), so call pytest as `python -m pytest`. Servers named
by DATABASE_URL and REDIS_URL are used instead of our own; TEST_DATABASE=sqlite runs on
SQLite and needs neither. A run of tests of the pure layers alone starts no server.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.servers import copy_sqlite_template, make_template, servers

PURE = (
    "analysis",
    "architecture",
    "bench",
    "cases",
    "contest",
    "golden",
    "project",
    "rules",
)
_running = ExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, args: list[str]
) -> Iterator[None]:
    """Put the URLs into the environment, where settings and xdist workers read them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="scoundrel-var-")
        os.environ["VAR_DIR"] = _running.enter_context(folder)
        if os.environ.get("TEST_DATABASE") == "sqlite":
            copy_sqlite_template(Path(os.environ["VAR_DIR"]) / "test-run.sqlite3")
    wanted = _wanted(early_config, args)
    if wanted["with_database"] or wanted["with_redis"]:
        os.environ.update(_running.enter_context(servers(**wanted)))
    if wanted["with_database"]:
        os.environ["TEST_TEMPLATE"] = make_template(os.environ["DATABASE_URL"])
    return (yield)


def pytest_unconfigure() -> None:
    """Stop the servers."""
    _running.close()


def _wanted(config: pytest.Config, args: list[str]) -> dict[str, bool]:
    options = config.known_args_namespace
    idle = options.help or options.version or "--collect-only" in args
    if idle or _is_pure(options.file_or_dir) or _on_sqlite():
        return {"with_database": False, "with_redis": False}
    return {
        "with_database": not os.environ.get("DATABASE_URL"),
        "with_redis": not os.environ.get("REDIS_URL"),
    }


def _on_sqlite() -> bool:
    asked = os.environ.get("TEST_DATABASE", "") == "sqlite"
    if asked:
        os.environ.pop("DATABASE_URL", None)
        os.environ.pop("REDIS_URL", None)
    return asked


def _is_pure(paths: list[str]) -> bool:
    here = Path(__file__).parent
    folders = []
    for path in paths:
        place = Path(path.split("::")[0]).resolve()
        folders.append(
            place.relative_to(here).parts[:1] if here in place.parents else ()
        )
    return bool(folders) and all(parts and parts[0] in PURE for parts in folders)
