"""Moves over REST: strict bodies, and the same answers without middleware."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import structlog
from asgiref.sync import async_to_sync
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY

from api.rest.runs import moves
from game.models import Account, Move, Run, Session
from game.services.runs.moves import play, report
from tests.fixtures.runs import post, signed_in
from tests.scanner import scan

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
BODY = b'{"index": 0, "move": "2D", "key": "k"}'

BAD = [
    (b"", 400, "body.invalid"),
    (b"{}", 400, "body.invalid"),
    (b'{"index": 0}', 400, "body.invalid"),
    (b'{"index": "0", "move": "2D"}', 400, "body.invalid"),
    (b'{"index": true, "move": "2D"}', 400, "body.invalid"),
    (b'{"index": -1, "move": "2D"}', 400, "body.invalid"),
    (b'{"index": 1e3, "move": "2D"}', 400, "body.invalid"),
    (b'{"index": 0, "move": 2}', 400, "body.invalid"),
    (b'{"index": 0, "move": "2D", "run": 1}', 400, "body.invalid"),
    (b'{"index": 0, "move": "2D", "key": ""}', 400, "body.invalid"),
    (b'{"index": 0, "move": "2D", "key": "a b"}', 400, "body.invalid"),
    (b'{"index": 0, "move": "2D", "key": 7}', 400, "body.invalid"),
    (b'{"index": 0, "move": "2D", "key": "%s"}' % (b"k" * 65), 400, "body.invalid"),
    (b'{"index": 0, "move": "2d"}', 400, "move.malformed"),
    (b'{"index": 0, "move": "2D\\u0000"}', 400, "body.malformed"),
    (b'{"index": 0, "move": "\\ud800"}', 400, "body.malformed"),
    (b'{"index": 0, "move": "2D"', 400, "body.malformed"),
    (b"[0]", 400, "body.not_an_object"),
    (b'{"index": 0, "move": "%s"}' % (b"x" * 5000), 413, "body.too_large"),
    (b'{"index": 0, "move": "4Cw"}', 422, "move.illegal.no_weapon"),
    (b'{"index": 0, "move": "9H"}', 422, "move.illegal.no_such_card"),
    (b'{"index": 3, "move": "2D"}', 409, "run.stale_index"),
]


Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    """What moves have written to the log since the last call."""
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(report, "log", structlog.get_logger("moves"))

        def taken() -> list[dict[str, Any]]:
            found = [dict(line) for line in lines if line["event"] == "move"]
            lines.clear()
            return found

        yield taken


@pytest.mark.parametrize(("body", "status", "code"), BAD)
def test_bad_body_is_refused(
    ada_client: Client, run: Run, body: bytes, status: int, code: str
) -> None:
    answer = post(ada_client, f"runs/{run.id}/moves/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert not Move.objects.exists()


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_other_methods_are_refused(ada_client: Client, run: Run, method: str) -> None:
    answer = getattr(ada_client, method)(f"/api/v1/runs/{run.id}/moves/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_other_content_types_are_refused(ada_client: Client, run: Run) -> None:
    answer = ada_client.post(
        f"/api/v1/runs/{run.id}/moves/", {"index": 0, "move": "2D"}
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "body.unsupported_type")


def serve(client: Client, run_id: str, body: bytes, **headers: str) -> dict[str, Any]:
    """What `serve_move` sends for a move of a run."""
    cookies = "; ".join(f"{m.key}={m.value}" for m in client.cookies.values())
    sent: list[dict[str, Any]] = []
    named = {
        "host": "127.0.0.1",
        "content-type": "application/json",
        "cookie": cookies,
        "content-length": str(len(body)),
        **headers,
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/v1/runs/{run_id}/moves/",
        "query_string": b"",
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 80),
        "headers": [(k.encode(), v.encode()) for k, v in named.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    async def go() -> None:
        await moves.serve_move(scope, receive, send, f"runs/{run_id}")

    async_to_sync(go)()
    answer = b"".join(m.get("body", b"") for m in sent[1:])
    scan(answer, client.session.get("_auth_user_id"), body)
    return {
        "status": sent[0]["status"],
        "headers": {k.decode(): v.decode() for k, v in sent[0]["headers"]},
        "json": json.loads(answer),
    }


@pytest.mark.parametrize(("body", "status", "code"), BAD)
def test_serve_move_refuses_alike(
    ada_client: Client, run: Run, body: bytes, status: int, code: str
) -> None:
    ada_client.get("/api/v1/account/")
    token = ada_client.cookies["csrftoken"].value
    answer = serve(ada_client, run.id, body, **{"x-csrftoken": token})
    assert (answer["status"], answer["json"]["code"]) == (status, code)
    assert answer["headers"]["content-type"] == "application/problem+json"


def test_serve_move_plays(ada: Account, run: Run) -> None:
    client = signed_in(ada)
    client.get("/api/v1/account/")
    body = b'{"index": 0, "move": "2D", "key": "k"}'
    refused = serve(client, run.id, body)
    assert (refused["status"], refused["json"]["code"]) == (403, "csrf.failed")
    token = {"x-csrftoken": client.cookies["csrftoken"].value}
    played = serve(client, run.id, body, **token)
    assert played["status"] == 200
    assert played["headers"]["cache-control"] == "no-store"
    again = post(client, f"runs/{run.id}/moves/", body)
    assert again.json() == {**played["json"], "replayed": True}


def test_session_from_before_a_password_change_is_refused(
    ada: Account, run: Run
) -> None:
    client = signed_in(ada)
    ada.set_password("something else entirely")
    ada.save()
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert answer.status_code == 401


def test_closed_account_is_refused(ada: Account, run: Run) -> None:
    client = signed_in(ada)
    Account.objects.update(is_active=False)
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert answer.status_code == 401


@pytest.mark.parametrize("ago_s", [1, 3600])
def test_expired_session_is_refused(ada: Account, run: Run, ago_s: int) -> None:
    client = signed_in(ada)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=ago_s))
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert (answer.status_code, answer.json()["code"]) == (401, "session.required")
    assert answer["WWW-Authenticate"] == 'Bearer realm="scoundrel"'
    assert not Move.objects.exists()


def test_session_of_another_account_is_refused(
    ada: Account, bob: Account, run: Run
) -> None:
    """The row's account and the signed data must name the same account."""
    Account.objects.update(password=ada.password)  # so that the hashes agree
    client = signed_in(Account.objects.get(id=bob.id))
    Session.objects.update(account=ada)
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert answer.status_code == 401


def csrf(client: Client) -> dict[str, str]:
    client.get("/api/v1/account/")
    return {"x-csrftoken": client.cookies["csrftoken"].value}


def test_serve_move_refuses_an_unknown_host(ada_client: Client, run: Run) -> None:
    token = csrf(ada_client)
    answer = serve(ada_client, run.id, BODY, host="evil.example", **token)
    assert (answer["status"], answer["json"]["code"]) == (400, "request.malformed")
    assert not Move.objects.exists()
    assert serve(ada_client, run.id, BODY, **token)["status"] == 200


def test_serve_move_sends_the_security_headers_of_other_answers(
    ada_client: Client, run: Run, settings: Any
) -> None:
    settings.SECURE_HSTS_SECONDS = 3600
    moves.security_headers.cache_clear()
    other = ada_client.get("/api/v1/rulesets/", secure=True).headers
    expected = {name.lower(): value for name, value in other.items()}
    for name in ("content-type", "content-length", "vary", "allow", "set-cookie"):
        expected.pop(name, None)
    assert {"x-frame-options", "cross-origin-opener-policy"} < set(expected)
    for body in (BODY, b"{}"):
        sent = serve(ada_client, run.id, body, **csrf(ada_client))["headers"]
        assert {name: sent.get(name) for name in expected} == expected
    moves.security_headers.cache_clear()


def count(code: str, entry: str = "rest") -> float:
    labels = {"entry": entry, "code": code}
    return REGISTRY.get_sample_value("scoundrel_moves_total", labels) or 0.0


def test_each_move_is_one_log_line_and_one_count(
    ada: Account, ada_client: Client, run: Run, logged: Lines
) -> None:
    path, body = f"runs/{run.id}/moves/", {"index": 0, "move": "2D", "key": "k"}
    for code, sent in (
        ("accepted", body),
        ("replayed", body),
        ("run.stale_index", {"index": 0, "move": "4Cb"}),
        ("move.illegal.no_such_card", {"index": 1, "move": "9H"}),
    ):
        before = count(code)
        timed = REGISTRY.get_sample_value(
            "scoundrel_move_seconds_count", {"entry": "rest"}
        )
        post(ada_client, path, sent)
        assert count(code) == before + 1
        assert (
            REGISTRY.get_sample_value("scoundrel_move_seconds_count", {"entry": "rest"})
            == (timed or 0) + 1
        )
        (line,) = logged()
        assert line.pop("ms") >= 0
        assert line == {
            "event": "move",
            "log_level": "info",
            "entry": "rest",
            "run": run.id,
            "race": None,
            "account": ada.id,
            "index": sent["index"],
            "code": code,
            "request_id": None,
        }


def test_refusal_before_sign_in_is_reported(
    client: Client, run: Run, logged: Lines
) -> None:
    post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    client.get(f"/api/v1/runs/{run.id}/moves/")
    assert [(line["code"], line["account"]) for line in logged()] == [
        ("session.required", None),
        ("method.not_allowed", None),
    ]


def test_broken_constraint_is_an_error_and_logged(
    ada_client: Client,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    logged: Lines,
) -> None:
    def broken(write: Any) -> None:
        raise IntegrityError("CHECK constraint failed: some_other_constraint")

    monkeypatch.setattr(play, "move_write", broken)
    errors: list[str] = []
    monkeypatch.setattr(
        moves.log, "exception", lambda event, **_: errors.append(event), raising=False
    )
    answer = serve(ada_client, run.id, BODY, **csrf(ada_client))
    assert (answer["status"], answer["json"]["code"]) == (500, "server.error")
    assert errors == ["move_failed"]
    assert logged()[-1]["code"] == "server.error"
