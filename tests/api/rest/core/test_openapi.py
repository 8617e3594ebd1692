"""The OpenAPI document: valid, without warnings, and matched by the server."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, settings
from openapi_spec_validator import validate
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from game.models import Account, Run
from tests.fixtures.runs import signed_in
from tests.scanner import scan

pytestmark = pytest.mark.django_db
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.fixture
def api_schema(db: None) -> Iterator[Any]:
    """The schema as the server sends it.

    A real request closes its database connection. Here the connection belongs to the
    test and must stay open.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def cookies(ada: Account) -> dict[str, str]:
    """The cookies of a session of Ada."""
    return {one.key: one.value for one in signed_in(ada).cookies.values()}


described = schemathesis.pytest.from_fixture("api_schema")


def test_document_is_valid_openapi(client: Client) -> None:
    found = json.loads(
        client.get(
            "/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"}
        ).content
    )
    assert found["openapi"].startswith("3.1")
    validate(found)


def test_document_is_generated_without_warnings(tmp_path: Any) -> None:
    call_command(
        "spectacular",
        "--validate",
        "--fail-on-warn",
        "--file",
        str(tmp_path / "api.yml"),
    )


@pytest.mark.slow
@pytest.mark.timeout(900)  # one test for pytest, but many requests to every route
@described.parametrize()
@settings(
    max_examples=int(os.environ.get("SCHEMA_EXAMPLES", "2")),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_server_conforms_to_the_document(
    case: Any, ada: Account, run: Run, cookies: dict[str, str]
) -> None:
    """Generated requests get no server error, and only documented answers."""
    if "run_id" in case.path_parameters and case.path_parameters["run_id"] != "":
        case.path_parameters["run_id"] = run.id
    # What a request changes is undone: the next one finds the same session and rows.
    with transaction.atomic():
        answer = case.call_and_validate(cookies=cookies, checks=CHECKS)
        transaction.set_rollback(True)
    if "/schema/" not in case.path:
        scan(answer.content, ada.id, answer.content)
