"""Sign-ins and what changes them are written down, without a secret."""

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
    """What is written from here on: a logger that was used before is not captured."""
    kept = LogCapture()
    told = structlog.wrap_logger(structlog.PrintLogger(), processors=[kept])
    monkeypatch.setattr(audit_signals, "log", told)
    return kept.entries


def events(logs: list[Any]) -> list[tuple[str, Any]]:
    known = {event for _, event in EVENTS}
    return [(one["event"], one["account"]) for one in logs if one["event"] in known]


def test_in_out_and_refused(logs: list[Any]) -> None:
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
    written = str(logs)
    for secret in ("Eve", "eve@example.org", PASSWORD, "not the one at all"):
        assert secret not in written


def test_a_changed_password_is_written_down(logs: list[Any]) -> None:
    person("Eve")
    client = Client()
    sign_in(client, username="Eve")
    body = {"current_password": PASSWORD, "new_password": "eight rats below us all"}
    auth(client, "POST", "account/password/change", body)
    assert "password_changed" in [event for event, _ in events(logs)]
    assert "rats" not in str(logs)


def test_a_sign_up_is_written_down_once(logs: list[Any]) -> None:
    connect_sign_in_log()
    sign_up(Client())
    assert [event for event, _ in events(logs)].count("signed_up") == 1
    assert "ada@example.org" not in str(logs)
