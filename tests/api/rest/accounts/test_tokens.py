"""Requests by token: exactly its scopes, and no cookie."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils import timezone

from api.rest.runs import moves
from game.models import Account, Run, Token
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import PASSWORD, api, person, token_of
from tests.fixtures.runs import NOON, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def eves_run(eve: Account) -> Run:
    """A run of Eve's on the seed "a"."""
    return practice_start(account=eve, at=NOON, seed="a")


def test_token_is_created_listed_and_revoked(eve_client: Client) -> None:
    wish = {"name": "my bot", "scopes": ["play", "read"], "expires_in_days": 30}
    made = api(eve_client, "POST", "tokens/", wish)
    assert made.status_code == 201
    token = made.json()
    assert token["scopes"] == ["read", "play"]
    assert token["token"].startswith(token["starts_with"])
    listed = api(eve_client, "GET", "tokens/").json()["results"]
    assert [row["id"] for row in listed] == [token["id"]]
    assert "token" not in listed[0]
    assert token["token"] not in json.dumps(listed)
    header = {"Authorization": f"Bearer {token['token']}"}
    program = Client(enforce_csrf_checks=True)
    assert api(program, "POST", "runs/", {}, **header).status_code == 201
    used = api(eve_client, "GET", "tokens/").json()["results"][0]["used_at"]
    assert used is not None
    assert api(eve_client, "DELETE", f"tokens/{token['id']}/").status_code == 204
    assert api(program, "POST", "runs/", {}, **header).status_code == 401
    assert api(eve_client, "DELETE", f"tokens/{token['id']}/").status_code == 404


BAD: list[dict[str, Any]] = [
    {},
    {"name": "x"},
    {"name": "", "scopes": ["read"]},
    {"name": "x" * 61, "scopes": ["read"]},
    {"name": "x", "scopes": []},
    {"name": "x", "scopes": "read"},
    {"name": "x", "scopes": ["admin"]},
    {"name": "x", "scopes": ["read"], "expires_in_days": 0},
    {"name": "x", "scopes": ["read"], "expires_in_days": 367},
    {"name": "x", "scopes": ["read"], "user": "somebody"},
]


@pytest.mark.parametrize("body", BAD)
def test_malformed_token_request_is_refused(
    eve_client: Client, body: dict[str, Any]
) -> None:
    answer = api(eve_client, "POST", "tokens/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "body.invalid")
    assert not Token.objects.exists()


def test_guest_cannot_create_a_token(ada_client: Client) -> None:
    answer = api(ada_client, "POST", "tokens/", {"name": "x", "scopes": ["read"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "account.guest")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer sdl_" + "0" * 64,
        "Bearer",
        "Bearer ",
        "Token x",
        "Basic ZXZlOng=",
        "bearer sdl_\u00e9",
        "Bearer " + "x" * 9000,
    ],
)
@pytest.mark.parametrize("path", ["account/", "rulesets/", "time/", "players/Eve/"])
def test_invalid_token_is_refused_even_on_public_routes(
    eve: Account, header: str, path: str
) -> None:
    """Otherwise a program would not notice that its token is invalid."""
    answer = api(Client(), "GET", path, Authorization=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "token.invalid")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_header_wins_over_the_cookie(eve_client: Client, eves_run: Run) -> None:
    header = {"Authorization": "Bearer sdl_" + "0" * 64}
    move = {"index": 0, "move": "2D"}
    path = f"runs/{eves_run.id}/moves/"
    assert api(eve_client, "GET", "account/", **header).status_code == 401
    assert api(eve_client, "POST", path, move, **header).status_code == 401
    bob = signed_in(person("Bob"))
    _, eves = token_of(eves_run.account, "read")
    assert api(bob, "GET", "account/", **eves).json()["name"] == "Eve"


def test_token_does_not_show_the_email(eve: Account) -> None:
    _, header = token_of(eve, "read")
    assert api(Client(), "GET", "account/", **header).json()["email"] is None


def test_token_cannot_change_the_account(eve: Account) -> None:
    _, header = token_of(eve, "read", "play", "race", "chat")
    for method, path, body in (
        ("GET", "tokens/", None),
        ("POST", "tokens/", {"name": "x", "scopes": ["read"]}),
        ("PATCH", "account/", {"name": "Other"}),
        ("DELETE", "account/", {"password": PASSWORD}),
        ("POST", "account/export/", {"password": PASSWORD}),
        ("POST", "session/guest/", {}),
    ):
        answer = api(Client(), method, path, body, **header)
        assert (answer.status_code, answer.json()["code"]) == (403, "token.scope")
    for path in ("auth/session", "account/email", "account/authenticators"):
        answer = Client().get(f"/_allauth/browser/v1/{path}", headers=header)
        assert answer.status_code == 401


def test_move_by_token_takes_no_more_queries(
    eve: Account, eves_run: Run, django_assert_max_num_queries: Any
) -> None:
    _, header = token_of(eve, "play")
    assert serve_move(eves_run.id, header)[0] == 200
    # Who, where the run stands, and the move; on SQLite between two savepoints, and two
    # more because of the test's own transaction.
    with django_assert_max_num_queries(8):
        assert serve_move(eves_run.id, header, index=1, move="4Cw")[0] == 200


def test_move_by_token_needs_the_play_scope(eve: Account, eves_run: Run) -> None:
    _, reads = token_of(eve, "read")
    token, plays = token_of(eve, "play")
    assert serve_move(eves_run.id, reads)[0] == 403
    assert serve_move(eves_run.id, {"Authorization": "Bearer sdl_no"})[0] == 401
    status, body = serve_move(eves_run.id, plays)
    assert (status, body["run"]["index"]) == (200, 1)
    Token.objects.filter(id=token.id).update(expiry=timezone.now() - timedelta(1))
    assert serve_move(eves_run.id, plays)[0] == 401


def serve_move(
    run_id: str, headers: dict[str, str], *, index: int = 0, move: str = "2D"
) -> tuple[int, dict[str, Any]]:
    sent: list[Any] = []
    body = json.dumps({"index": index, "move": move}).encode()
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/v1/runs/{run_id}/moves/",
        "query_string": b"",
        "client": ("127.0.0.1", 5),
        "server": ("testserver", 80),
        "headers": [
            (b"host", b"testserver"),
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            *((n.lower().encode(), v.encode()) for n, v in headers.items()),
        ],
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    async_to_sync(moves.serve_move)(scope, receive, send, f"runs/{run_id}")
    return sent[0]["status"], json.loads(sent[1]["body"])
