"""The scanner finds planted cards and seeds."""

import json

import pytest
from django.test import Client

from game.models import Account, Run
from game.services.runs.dungeons import seed_decrypt
from game.services.runs.runs import practice_start
from tests.fixtures.runs import NOON, post
from tests.scanner import Leak, scan

pytestmark = pytest.mark.django_db


def test_an_honest_answer_passes(ada_client: Client, run: Run) -> None:
    scan(ada_client.get(f"/api/v1/runs/{run.id}/").content, run.account_id)


@pytest.mark.parametrize(
    "plant",
    [
        {"next": "8D"},
        {"next": "8Sw"},
        {"run": None, "hint": {"deep": ["take 8D now"]}},
    ],
)
def test_an_undealt_card_is_found(
    ada_client: Client, run: Run, plant: dict[str, object]
) -> None:
    shown = ada_client.get(f"/api/v1/runs/{run.id}/").json()
    for body in ({**shown, **plant}, {"run": shown, "effects": [plant]}):
        with pytest.raises(Leak):
            scan(json.dumps(body).encode(), run.account_id)


def test_a_dealt_card_is_no_leak_to_its_player_but_to_others(
    run: Run, bob: Account
) -> None:
    body = json.dumps({"cards": ["4C"]}).encode()
    scan(body, run.account_id)
    with pytest.raises(Leak):
        scan(body, bob.id)


def test_a_seed_is_found_anywhere(ada: Account) -> None:
    run = practice_start(account=ada, at=NOON)
    seed = seed_decrypt(run.dungeon.id, run.dungeon.seed_sealed)
    for text in (seed, f'{{"x": "{seed}"}}', run.dungeon.seed_sealed):
        with pytest.raises(Leak):
            scan(text.encode(), ada.id)


def test_the_clients_of_every_test_are_scanned(
    ada_client: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Run.objects.update(snapshot=run.snapshot.replace("4CKS2DTH", "4CKS2DAS"))
    with pytest.raises(Leak):
        post(ada_client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
