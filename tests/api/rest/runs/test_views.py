"""The REST routes of runs."""

from typing import Any

import pytest
from django.test import Client

from game.models import Account, Run
from tests.fixtures.runs import post, signed_in

pytestmark = pytest.mark.django_db


def test_new_guest_can_play() -> None:
    client = Client()
    became = post(client, "session/guest/")
    assert became.status_code == 201
    assert became.json()["is_guest"] is True
    assert client.get("/api/v1/account/").json() == became.json()
    again = post(client, "session/guest/")
    assert (again.status_code, again.json()) == (200, became.json())
    made = post(client, "runs/", {"seed": "a"})
    assert made.status_code == 201
    run = made.json()
    assert run["room"] == ["4C", "KS", "2D", "TH"]
    moved = post(client, f"runs/{run['id']}/moves/", {"index": 0, "move": "2D"})
    assert moved.status_code == 200
    assert moved.json()["run"]["weapon"]["card"] == "2D"
    assert client.get(f"/api/v1/runs/{run['id']}/").json()["index"] == 1


def test_run_has_the_documented_fields(ada_client: Client) -> None:
    run = post(ada_client, "runs/", {}).json()
    assert set(run) >= {
        *("id", "kind", "ruleset", "difficulty", "status", "index", "health", "cap"),
        *("room", "faced_in_room", "weapon", "potion_used", "avoided_last"),
        *("dungeon_left", "bottom", "legal", "score", "potential_score", "seal"),
        *("seed", "started_at", "finished_at", "elapsed_ms", "race", "daily"),
    }
    assert (run["ruleset"], run["difficulty"]) == ("tavern-1", "normal")
    assert run["seed"] is None
    assert run["started_at"].endswith("Z")
    assert set(run["legal"][0]) >= {
        *("move", "card", "action", "armed", "damage", "heal", "wasted"),
        "health_after",
    }


def test_runs_are_listed_newest_first_in_pages(ada_client: Client) -> None:
    made = [post(ada_client, "runs/").json()["id"] for _ in range(5)]
    got: list[str] = []
    address: str | None = "/api/v1/runs/?limit=2"
    pages = 0
    while address:
        page = ada_client.get(address).json()
        assert set(page) == {"results", "next"}
        got += [run["id"] for run in page["results"]]
        address = page["next"]
        pages += 1
    assert got == made[::-1]
    assert pages == 3


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "cursor=zzz", "status=won"]
)
def test_invalid_page_is_refused(ada_client: Client, query: str) -> None:
    answer = ada_client.get(f"/api/v1/runs/?{query}")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_runs_can_be_listed_by_status(ada_client: Client, run: Run) -> None:
    assert ada_client.get("/api/v1/runs/?status=playing").json()["results"]
    assert not ada_client.get("/api/v1/runs/?status=died").json()["results"]


def test_abandon_then_replay(ada_client: Client, run: Run) -> None:
    early = ada_client.get(f"/api/v1/runs/{run.id}/replay/")
    assert (early.status_code, early.json()["code"]) == (409, "replay.not_yet")
    ended = post(ada_client, f"runs/{run.id}/abandon/")
    assert ended.json()["status"] == "abandoned"
    assert ended.json()["legal"] == []
    again = post(ada_client, f"runs/{run.id}/abandon/")
    assert (again.status_code, again.json()["code"]) == (409, "run.over")
    assert again.json()["run"]["score"] == -208
    replay = ada_client.get(f"/api/v1/runs/{run.id}/replay/")
    assert replay.json()["seed"] == "a"
    text = ada_client.get(
        f"/api/v1/runs/{run.id}/replay/", headers={"accept": "text/plain"}
    )
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert '[Seed "a"]' in text.content.decode()


@pytest.mark.parametrize("rest", ["", "moves/", "abandon/"])
def test_run_of_another_account_is_not_found_over_rest(
    bob_client: Client, run: Run, rest: str
) -> None:
    path = f"runs/{run.id}/{rest}"
    if rest:
        body = {"index": 0, "move": "2D"} if rest == "moves/" else {}
        answer = post(bob_client, path, body)
    else:
        answer = bob_client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "run.not_found")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"ruleset": "tavern-9"}, "ruleset.unknown"),
        ({"difficulty": "hard"}, "ruleset.unknown_difficulty"),
        ({"seed": "ü"}, "seed.invalid"),
        ({"seed": " a"}, "seed.invalid"),
        ({"seed": 5.5}, "body.invalid"),
        ({"ruleset": None}, "body.invalid"),
        ({"sed": "a"}, "body.invalid"),
        ([], "body.not_an_object"),
        (b'"nope"', "body.not_an_object"),
        (b"{", "body.malformed"),
        (b"\xff", "body.malformed"),
        (b'{"seed": "\\ud800"}', "body.malformed"),
        (b'{"seed": "\\u0000"}', "body.malformed"),
        (b'{"seed": NaN}', "body.malformed"),
        (b"[" * 20_000, "body.too_large"),
        (b"[" * 9_000, "body.malformed"),
    ],
)
def test_invalid_start_is_a_problem(ada_client: Client, body: Any, code: str) -> None:
    answer = post(ada_client, "runs/", body)
    assert answer.json()["code"] == code
    assert answer.status_code in (400, 413)
    assert answer["Content-Type"] == "application/problem+json"
    assert not Run.objects.exists()


def test_unknown_fields_are_named(ada_client: Client) -> None:
    answer = post(ada_client, "runs/", {"sed": "a"})
    assert answer.json()["errors"] == [
        {"field": "sed", "code": "unknown", "detail": "There is no such field."}
    ]


def test_anonymous_request_is_refused(run: Run) -> None:
    client = Client()
    for answer in (
        client.get("/api/v1/account/"),
        client.get("/api/v1/runs/"),
        post(client, "runs/"),
        post(client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "session.required")
        assert answer["WWW-Authenticate"].startswith("Bearer")


def test_page_of_another_site_cannot_write(ada: Account, run: Run) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    for path, body in (
        ("runs/", {}),
        (f"runs/{run.id}/moves/", {"index": 0, "move": "2D"}),
        (f"runs/{run.id}/abandon/", {}),
    ):
        answer = post(client, path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "csrf.failed")
    client.get("/api/v1/account/")
    token = client.cookies["csrftoken"].value
    moved = client.post(
        f"/api/v1/runs/{run.id}/moves/",
        {"index": 0, "move": "2D"},
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert moved.status_code == 200


def test_unknown_paths_are_problems(client: Client) -> None:
    answer = client.get("/api/v1/nothing/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer["Content-Type"] == "application/problem+json"


def test_rulesets_are_described_in_words(client: Client) -> None:
    results = client.get("/api/v1/rulesets/").json()["results"]
    assert [r["key"] for r in results] == [
        "tavern-1",
        "bound-1",
        "flee-1",
        "original-1",
    ]
    assert [r["key"] for r in results if r["is_default"]] == ["tavern-1"]
    assert all(all(r["words"].values()) for r in results)
    bound = results[1]["difficulties"]
    assert [(d["key"], d["health"]) for d in bound] == [
        ("easy", 25),
        ("normal", 20),
        ("hard", 14),
    ]


def test_two_browsers_of_one_account(ada: Account, run: Run) -> None:
    one, two = signed_in(ada), signed_in(ada)
    assert (
        post(one, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"}).status_code
        == 200
    )
    late = post(two, f"runs/{run.id}/moves/", {"index": 0, "move": "4Cb"})
    assert (late.status_code, late.json()["code"]) == (409, "run.stale_index")
    assert late.json()["run"]["index"] == 1
