"""What every test has. Subjects add fixtures of their own as plugins, listed here."""

import importlib.util

PLUGINS = (
    "tests.fixtures_runs",
    "tests.fixtures_accounts",
    "tests.fixtures_audit",
    "tests.fixtures_dailies",
    "tests.fixtures_dungeons",
    "tests.fixtures_races",
    "tests.fixtures_moderation",
    "tests.fixtures_scanner",
)

pytest_plugins = [name for name in PLUGINS if importlib.util.find_spec(name)]
