"""The door of a move: strict, and the same answers by the express lane."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from api.rest.runs import moves
from game.models import Account, Move, Run
from tests.fixtures.runs import post, signed_in
from tests.scanner import scan

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

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


@pytest.mark.parametrize(("body", "status", "code"), BAD)
def test_a_bad_move_is_a_clear_problem(
    ada_client: Client, run: Run, body: bytes, status: int, code: str
) -> None:
    answer = post(ada_client, f"runs/{run.id}/moves/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert not Move.objects.exists()


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_only_post(ada_client: Client, run: Run, method: str) -> None:
    answer = getattr(ada_client, method)(f"/api/v1/runs/{run.id}/moves/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_only_json(ada_client: Client, run: Run) -> None:
    answer = ada_client.post(
        f"/api/v1/runs/{run.id}/moves/", {"index": 0, "move": "2D"}
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "body.unsupported_type")


def express(client: Client, run_id: str, body: bytes, **headers: str) -> dict[str, Any]:
    """What the express lane of the web process sends for a move."""
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
        await moves.express(scope, receive, send, f"runs/{run_id}")

    async_to_sync(go)()
    answer = b"".join(m.get("body", b"") for m in sent[1:])
    scan(answer, client.session.get("_auth_user_id"), body)
    return {
        "status": sent[0]["status"],
        "headers": {k.decode(): v.decode() for k, v in sent[0]["headers"]},
        "json": json.loads(answer),
    }


@pytest.mark.parametrize(("body", "status", "code"), BAD)
def test_the_express_lane_refuses_alike(
    ada_client: Client, run: Run, body: bytes, status: int, code: str
) -> None:
    ada_client.get("/api/v1/account/")
    token = ada_client.cookies["csrftoken"].value
    answer = express(ada_client, run.id, body, **{"x-csrftoken": token})
    assert (answer["status"], answer["json"]["code"]) == (status, code)
    assert answer["headers"]["content-type"] == "application/problem+json"


def test_the_express_lane_plays(ada: Account, run: Run) -> None:
    client = signed_in(ada)
    client.get("/api/v1/account/")
    body = b'{"index": 0, "move": "2D", "key": "k"}'
    refused = express(client, run.id, body)
    assert (refused["status"], refused["json"]["code"]) == (403, "csrf.failed")
    token = {"x-csrftoken": client.cookies["csrftoken"].value}
    played = express(client, run.id, body, **token)
    assert played["status"] == 200
    assert played["headers"]["cache-control"] == "no-store"
    again = post(client, f"runs/{run.id}/moves/", body)
    assert again.json() == {**played["json"], "replayed": True}


def test_a_session_of_another_password_is_no_session(ada: Account, run: Run) -> None:
    client = signed_in(ada)
    ada.set_password("something else entirely")
    ada.save()
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert answer.status_code == 401


def test_a_closed_account_plays_no_more(ada: Account, run: Run) -> None:
    client = signed_in(ada)
    Account.objects.update(is_active=False)
    answer = post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    assert answer.status_code == 401
