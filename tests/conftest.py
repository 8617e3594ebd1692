"""What every test has. Subjects add fixtures of their own as plugins, listed here."""

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
