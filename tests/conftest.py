"""What every test has. Subjects add fixtures of their own as plugins, listed here."""

import importlib.util

PLUGINS = (
    "tests.fixtures.runs",
    "tests.fixtures.accounts",
    "tests.fixtures.audit",
    "tests.fixtures.dailies",
    "tests.fixtures.dungeons",
    "tests.fixtures.races",
    "tests.fixtures.moderation",
    "tests.fixtures.scanner",
)

pytest_plugins = [name for name in PLUGINS if importlib.util.find_spec(name)]
