"""REST: the guided dungeon and the worked examples."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from game.models import Run
from game.services.core.rate_limits import LEARNING_BY_REQUESTER
from tests.fixtures.runs import post

pytestmark = pytest.mark.django_db


def lesson(*moves: str) -> Any:
    return post(Client(), "lesson/", {"moves": list(moves)})


def test_lesson_needs_no_account_and_stores_nothing() -> None:
    first = lesson()
    assert first.status_code == 200, first.content
    found = first.json()
    assert found["step"] == 0
    assert found["mistake"] is None
    assert found["observation"]["room"] == ["4H", "9C", "5C", "4D"]
    assert found["advised"] == ["4D"]
    after = lesson("4D").json()
    assert (after["step"], after["effects"][0]["kind"]) == (1, "equipped")
    assert not Run.objects.exists()


def test_mistake_is_shown_with_its_cost() -> None:
    found = lesson("9Cb").json()
    assert "takes 9 of your 20 health" in found["mistake"]
    assert found["observation"]["health"] == 11
    assert (found["step"], found["advised"]) == (0, ["4D"])


@pytest.mark.parametrize(
    ("moves", "status", "code"),
    [
        (["9Cw"], 422, "move.illegal.no_weapon"),
        (["jump"], 400, "move.malformed"),
        (["9Cb", "4D"], 400, "lesson.off_script"),
        (["4D"] * 61, 400, "body.invalid"),
    ],
)
def test_refusals(moves: list[str], status: int, code: str) -> None:
    answer = lesson(*moves)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_rules_guide_has_the_numbers_of_the_deck() -> None:
    found = Client().get("/api/v1/rules/").json()
    deck = found["deck"]
    assert (deck["cards"], deck["monsters"], deck["monsters_sum"]) == (44, 26, 208)
    assert (deck["weapons"], deck["potions"]) == (9, 9)
    assert (deck["rooms"], deck["last_room"]) == (15, 2)
    assert [one["value"] for one in deck["letters"]] == [11, 12, 13, 14]
    order = next(one for one in found["examples"] if one["key"] == "order")
    assert order["title"] == "The order decides: 9 or 1"
    assert order["start"]["room"] == ["9C", "6S"]
    assert {o["health"] for o in order["lines"][0]["outcomes"]} == {19}


def test_example_is_played_under_a_ruleset() -> None:
    path = "rules/examples/equal/"
    body = {"ruleset": "bound-1", "moves": ["8Sw"]}
    found = post(Client(), path, body)
    assert found.status_code == 200, found.content
    assert found.json()["observation"]["health"] == 17
    refused = post(Client(), path, {"moves": ["8Sw"]})
    assert refused.json()["code"] == "move.illegal.weapon_limit"
    unknown = post(Client(), path, {"ruleset": "house-1"})
    assert unknown.json()["code"] == "ruleset.unknown"
    missing = post(Client(), "rules/examples/nothing/", {})
    assert (missing.status_code, missing.json()["code"]) == (404, "example.not_found")


def test_requests_are_limited_by_network(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.THROTTLE_SCALE = 1.0
    few = replace(LEARNING_BY_REQUESTER, most=1)
    monkeypatch.setattr("api.rest.runs.learning.LEARNING_BY_REQUESTER", few)
    assert lesson().status_code == 200
    assert lesson().status_code == 429
