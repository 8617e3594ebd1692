"""Plugins of fixtures for all tests, and the order in which tests run."""

import pytest

pytest_plugins = (
    "tests.fixtures.runs",
    "tests.fixtures.accounts",
    "tests.fixtures.audit",
    "tests.fixtures.dailies",
    "tests.fixtures.dungeons",
    "tests.fixtures.races",
    "tests.fixtures.moderation",
    "tests.fixtures.scanner",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, so that no process ends with a long one alone."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
