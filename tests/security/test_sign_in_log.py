"""Sign-ins and changes of credentials are logged without secrets."""

from typing import Any

import pytest
import structlog
from django.test import Client
from structlog.testing import LogCapture

from api.rest.accounts.sign_in import audit_signals
from api.rest.accounts.sign_in.audit_signals import EVENTS, connect_sign_in_log
from tests.fixtures.accounts import PASSWORD, auth, person, sign_in, sign_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Capture log lines: a logger that was used before must be replaced."""
    capture = LogCapture()
    logger = structlog.wrap_logger(structlog.PrintLogger(), processors=[capture])
    monkeypatch.setattr(audit_signals, "log", logger)
    return capture.entries


def events(logs: list[Any]) -> list[tuple[str, Any]]:
    known = {event for _, event in EVENTS}
    return [(one["event"], one["account"]) for one in logs if one["event"] in known]


def test_sign_in_sign_out_and_failure_are_logged(logs: list[Any]) -> None:
    eve = person("Eve")
    client = Client(REMOTE_ADDR="192.0.2.9")
    sign_in(client, username="Eve", password="not the one at all")
    sign_in(client, username="Eve")
    auth(client, "DELETE", "auth/session")
    assert events(logs) == [
        ("sign_in_failed", None),
        ("signed_in", eve.pk),
        ("signed_out", eve.pk),
    ]
    assert all(one["network"] == "192.0.2.9" for one in logs if "network" in one)
    text = str(logs)
    for secret in ("Eve", "eve@example.org", PASSWORD, "not the one at all"):
        assert secret not in text


def test_password_change_is_logged(logs: list[Any]) -> None:
    person("Eve")
    client = Client()
    sign_in(client, username="Eve")
    body = {"current_password": PASSWORD, "new_password": "eight rats below us all"}
    auth(client, "POST", "account/password/change", body)
    assert "password_changed" in [event for event, _ in events(logs)]
    assert "rats" not in str(logs)


def test_sign_up_is_logged_once(logs: list[Any]) -> None:
    connect_sign_in_log()
    sign_up(Client())
    assert [event for event, _ in events(logs)].count("signed_up") == 1
    assert "ada@example.org" not in str(logs)
