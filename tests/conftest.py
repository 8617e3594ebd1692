"""Plugins of fixtures for all tests, and the order in which tests run."""

from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

# A busy machine is slow; that is no fault of the code.
hypothesis.settings.register_profile(
    "tests",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("tests")

pytest_plugins = (
    "tests.fixtures.runs",
    "tests.fixtures.accounts",
    "tests.fixtures.audit",
    "tests.fixtures.beacons",
    "tests.fixtures.dailies",
    "tests.fixtures.dungeons",
    "tests.fixtures.races",
    "tests.fixtures.moderation",
    "tests.fixtures.scanner",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, so that no process ends with a long one alone."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the copied SQLite database (tests.servers_plugin) instead of making one."""
    name = settings.DATABASES["default"]["TEST"].get("NAME")
    return name is not None and Path(name).exists()
