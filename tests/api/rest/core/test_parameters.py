"""Junk in every parameter of every route: refused or ignored, never a server error.

The routes and their parameters come from the OpenAPI document. A parameter that a view
reads without declaring it fails `test_parameters_are_declared`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from game.models import Account, Daily
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import api, person
from tests.fixtures.dailies import DAY
from tests.fixtures.races import create_race
from tests.fixtures.runs import NOON, signed_in

ROOT = Path(__file__).parents[4]
READ = re.compile(r"""(?:query_params|query|GET)(?:\.get\(|\[)["'](\w+)["']""")
DIGITS = "9" * 5000
TIME = "2026-11-29T12:00:00.000000Z"
JUNK = [
    *("", " ", "0", "-1", "1", "999", DIGITS, f"-{DIGITS}", "1e9", "٣", "²", "null"),
    *("\0", "a\0b", "💀", "x" * 3000, "..", "'--", "a,b,c", "%", "[]", "today"),
    *("2026-13-45", "0001-01-01", "9999-12-31", "20261129", "2026-W48", "9999-W53"),
    *(f"{DIGITS}.1.1", "-9999999999.9999999999.999999999999999999", "2147483647.0.0"),
    *(f"{TIME}_x", f"{TIME}_{'9' * 40}", f"{TIME}_1", f"{DIGITS}_1", f"2026{TIME}_1"),
    # Cursors of the previous format: "p=garbage", "o=" and many digits.
    *("cD1nYXJiYWdl", "bz05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "cD0lMDA="),
]
JUNK_IN_PATHS = (" ", DIGITS, "\0", "💀", "..", "%", "9999-12-31", "2026-13-45")
pytestmark = pytest.mark.django_db
Operation = tuple[str, str, list[str], list[str]]


def operations() -> Iterator[Operation]:
    """Each method and path, with the names of its query and path parameters."""
    found = SchemaGenerator().get_schema(request=None, public=True)
    for path, by_method in found["paths"].items():
        for method, operation in by_method.items():
            names: dict[str, list[str]] = {"query": [], "path": []}
            for one in operation.get("parameters", []):
                names.get(one["in"], []).append(one["name"])
            short = path.removeprefix("/api/v1/")
            yield method.upper(), short, names["query"], names["path"]


OPERATIONS = list(operations())
WITH_QUERY = [one for one in OPERATIONS if one[2]]
WITH_PATH = [one for one in OPERATIONS if one[3]]


def label(operation: Any) -> str:
    return f"{operation[0]} {operation[1]}"


def test_parameters_are_declared() -> None:
    declared = {name for _, _, query, _ in OPERATIONS for name in query}
    read = {
        name
        for file in (ROOT / "api" / "rest").rglob("*.py")
        for name in READ.findall(file.read_text())
    }
    assert read - declared == set()
    assert {"limit", "since", "cursor", "year", "of"} <= declared


@pytest.fixture
def values(daily: Daily) -> dict[str, str]:
    """Values of the path parameters that lead to the view's own work."""
    olga = person("Olga")
    return {
        "name": olga.name,
        "run_id": practice_start(account=olga, at=NOON, seed="a").id,
        "token_id": "none",
        "race_id": create_race([olga]),
        "on": DAY.isoformat(),
        "board": "best",
    }


@pytest.fixture
def clients(values: dict[str, str]) -> list[Client]:
    """A browser that is signed in, and one that is not; both return server errors."""
    found = [signed_in(Account.objects.get(name="Olga")), Client()]
    for client in found:
        client.raise_request_exception = False
    return found


@pytest.mark.parametrize("operation", WITH_QUERY, ids=label)
def test_junk_in_the_query(
    operation: Operation, values: dict[str, str], clients: list[Client]
) -> None:
    method, path, names, _ = operation
    for name in names:
        for number, junk in enumerate(JUNK):
            address = f"{path.format(**values)}?{name}={quote(junk)}"
            answer = api(clients[number % 2], method, address)
            assert answer.status_code < 500, address[:80]


@pytest.mark.parametrize("operation", WITH_PATH, ids=label)
def test_junk_in_the_path(
    operation: Operation, values: dict[str, str], clients: list[Client]
) -> None:
    method, path, _, names = operation
    for name in names:
        for junk in JUNK_IN_PATHS:
            address = path.format(**{**values, name: quote(junk, safe="")})
            answer = api(clients[0], method, address)
            assert answer.status_code < 500, address[:80]


def test_nul_in_a_query_is_named() -> None:
    answer = api(Client(), "GET", "races/?ruleset=%00")
    assert (answer.status_code, answer.json()["code"]) == (400, "address.malformed")
